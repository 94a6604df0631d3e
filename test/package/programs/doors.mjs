/**
 * Run by the tests in a consumer's folder, in an empty environment: imports and requires the doors that it is given,
 * and prints what each route gave, and what was done beside.
 */
import { createRequire } from "node:module";
import { Socket } from "node:net";

let connections = 0;
Socket.prototype.connect = () => {
  connections += 1;
  throw new Error("importing must not use the network");
};
const require = createRequire(import.meta.url);
const NOT_NAMES = new Set(["default", "module.exports", "__esModule"]);

function namesOf(door) {
  return Object.keys(door)
    .filter((name) => !NOT_NAMES.has(name))
    .sort();
}

/** Names that two doors give as different things. */
function torn(doors) {
  const first = new Map();
  const found = [];
  for (const door of doors) {
    for (const name of namesOf(door)) {
      if (first.has(name) && first.get(name) !== door[name]) found.push(name);
      first.set(name, door[name]);
    }
  }
  return found;
}

const specifiers = process.argv.slice(2);
const variables = Object.keys(process.env).length;
const imported = await Promise.all(specifiers.map((name) => import(name)));
const required = specifiers.map((name) => require(name));
const doors = specifiers.map((name, index) => [
  name,
  { imported: namesOf(imported[index]), required: namesOf(required[index]) },
]);
const report = {
  node: process.versions.node,
  doors: Object.fromEntries(doors),
  torn: [...torn(imported), ...torn(required)],
  connections,
  variablesSet: Object.keys(process.env).length - variables,
};
process.stdout.write(JSON.stringify(report));
