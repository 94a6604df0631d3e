import { api, choose } from "./api.js";
import { byId, el } from "./dom.js";

/** @import { Whose } from "./api.js" */
/** @import { SessionReply } from "../../src/inspector/replies.js" */

const KEY = "simplemem-whose";

/** @param {readonly { value: string, label: string }[]} options @param {string} chosen */
function optionsOf(options, chosen) {
  return options.map(({ value, label }) => el("option", { value, selected: value === chosen }, label));
}

/** @param {SessionReply["users"]} users @returns {Whose} */
function startWith(users) {
  const [first] = users;
  /** @type {Whose} */
  const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
  if (users.some(({ userId, tenantId }) => userId === kept.user && tenantId === kept.tenant)) return kept;
  return first === undefined ? {} : { user: first.userId, tenant: first.tenantId };
}

/** @param {string} name @param {string | undefined} agent */
function name(name, agent) {
  byId("whose").textContent = agent === undefined ? `of ${name}` : `of ${name}, as ${agent} sees it`;
}

/**
 * Lets the reader say whose memory is shown, unless the operator did.
 * @param {() => void} changed
 * @returns {Promise<boolean>} whether there is anybody to look into
 */
export async function setUpChooser(changed) {
  const { fixed, users } = await api.session();
  if (fixed !== null) {
    name(fixed.userId, fixed.agentId);
    return true;
  }
  /** @type {Whose} */
  let whose = startWith(users);
  if (whose.user === undefined) return false;
  const user = el(
    "select",
    { id: "user" },
    ...optionsOf(
      users.map(({ userId, tenantId }, index) => ({
        value: String(index),
        label: tenantId === undefined ? userId : `${userId} (${tenantId})`,
      })),
      String(users.findIndex(({ userId, tenantId }) => userId === whose.user && tenantId === whose.tenant)),
    ),
  );
  const agent = el("select", { id: "agent" });
  const agentField = el("span", { class: "inline" }, el("label", { for: "agent" }, "Agent"), agent);
  const apply = async () => {
    choose(whose);
    sessionStorage.setItem(KEY, JSON.stringify(whose));
    name(whose.user ?? "", whose.agent);
    const { agents } = await api.agents();
    const shared = { value: "", label: "shared by all" };
    agent.replaceChildren(
      ...optionsOf([shared, ...agents.map((value) => ({ value, label: value }))], whose.agent ?? ""),
    );
    agentField.hidden = agents.length === 0;
  };
  user.addEventListener("change", async () => {
    const chosen = users[Number(user.value)];
    whose = chosen === undefined ? {} : { user: chosen.userId, tenant: chosen.tenantId };
    await apply();
    changed();
  });
  agent.addEventListener("change", async () => {
    whose = { ...whose, agent: agent.value === "" ? undefined : agent.value };
    await apply();
    changed();
  });
  byId("chooser").replaceChildren(
    el("span", { class: "inline" }, el("label", { for: "user" }, "User"), user),
    agentField,
  );
  await apply();
  return true;
}
