import {
  AIMessage,
  AIMessageChunk,
  ChatMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { type AddInput, contentText, InvalidInputError, isInputList, toTurnInput } from "../../src/records/index.js";

const NAMES = { user: "Ilse", assistant: "Helper" };
const BASE64 = "QUJD".repeat(10_000);
const PNG = `data:image/png;base64,${BASE64}`;

/** What `add` makes of an input that a caller without types may pass. */
const turnOf = (input: unknown) => toTurnInput(input as AddInput, NAMES);

/** A message class of another copy of core: no instance of ours, known by its methods or fields alone. */
class ForeignMessage {
  constructor(
    private readonly kind: string,
    readonly content: unknown,
    readonly id?: string,
  ) {}

  _getType(): string {
    return this.kind;
  }

  getType(): string {
    return this.kind;
  }
}

const onlyOld = (kind: string, content: unknown) => ({ content, _getType: () => kind });
const onlyNew = (kind: string, content: unknown) => ({ content, getType: () => kind });
const constructed = (name: string, kwargs: Record<string, unknown>) => ({
  lc: 1,
  type: "constructor",
  id: ["langchain_core", "messages", name],
  kwargs,
});

describe("who speaks is told by shape, whichever copy of core made the message (R65 R83)", () => {
  it.each<[string, unknown, string, string]>([
    ["an instance of ours", new HumanMessage("I row"), "user", "Ilse"],
    ["an assistant of ours", new AIMessage("Noted"), "assistant", "Helper"],
    ["a chunk of ours", new AIMessageChunk("Noted"), "assistant", "Helper"],
    ["an instance of another copy", new ForeignMessage("human", "I row"), "user", "Ilse"],
    ["one with the older method alone", onlyOld("ai", "Noted"), "assistant", "Helper"],
    ["one with the newer method alone", onlyNew("human", "I row"), "user", "Ilse"],
    ["one with a type alone", { type: "human", content: "I row" }, "user", "Ilse"],
    ["one of a role of its own", new ChatMessage("I row", "user"), "user", "Ilse"],
    ["a generic one of another copy", { ...onlyNew("generic", "Noted"), role: "Assistant" }, "assistant", "Helper"],
    ["one serialised by toJSON", JSON.parse(JSON.stringify(new HumanMessage("I row"))), "user", "Ilse"],
    ["a serialised chunk", constructed("AIMessageChunk", { content: "Noted" }), "assistant", "Helper"],
    [
      "a serialised one of a role of its own",
      constructed("ChatMessage", { content: "I row", role: "user" }),
      "user",
      "Ilse",
    ],
    ["a stored one", new HumanMessage("I row").toDict(), "user", "Ilse"],
    ["a stored one of a role of its own", new ChatMessage("Noted", "assistant").toDict(), "assistant", "Helper"],
    ["plain role and content", { role: "user", content: "I row" }, "user", "Ilse"],
    ["a role in capitals", { role: "Assistant", content: "Noted" }, "assistant", "Helper"],
    ["a developer", { role: "developer", content: "Be brief" }, "system", "system"],
    ["a system message", new SystemMessage("Be brief"), "system", "system"],
    ["a tool's result", new ToolMessage({ content: "17", tool_call_id: "c1", name: "weather" }), "tool", "tool"],
    ["a pair", ["human", "I row"], "user", "Ilse"],
    ["a pair in capitals", ["AI", "Noted"], "assistant", "Helper"],
    ["one with a name", new HumanMessage({ content: "I row", name: "Bram" }), "user", "Bram"],
    ["one with a blank name", { role: "user", content: "I row", name: " " }, "user", "Ilse"],
  ])("%s", (_title, input, role, speaker) => {
    expect(turnOf(input)).toMatchObject({ role, speaker });
  });

  it.each([
    [{ role: "moderator", content: "x" }, /"moderator" is not known/],
    [["moderator", "x"], /"moderator" is not known/],
    [{ content: "x" }, /a speaker, or a message a role/],
    ["I row", /takes turns/],
    [null, /takes turns/],
    [42, /takes turns/],
  ])("what is no message is refused, with the reason: %j", (input, reason) => {
    expect(() => turnOf(input)).toThrow(InvalidInputError);
    expect(() => turnOf(input)).toThrow(reason);
  });
});

describe("content is text, whatever its form, and a picture is a short placeholder (R65)", () => {
  const text = { type: "text", text: "This is my puppy Nacho" };
  it.each<[string, unknown, string]>([
    ["a text", "I row", "I row"],
    ["text and a picture", [text, { type: "image_url", image_url: { url: PNG } }], `${text.text}\n[image]`],
    ["a picture first", [{ type: "image_url", image_url: PNG }, text], `[image]\n${text.text}`],
    ["a picture alone", [{ type: "image_url", image_url: { url: PNG } }], "[image]"],
    [
      "Anthropic's picture",
      [{ type: "image", source: { type: "base64", media_type: "image/png", data: BASE64 } }],
      "[image]",
    ],
    ["a standard block", [{ type: "image", source_type: "base64", mime_type: "image/png", data: BASE64 }], "[image]"],
    [
      "OpenAI's input blocks",
      [
        { type: "input_text", text: "I row" },
        { type: "input_image", image_url: PNG },
      ],
      "I row\n[image]",
    ],
    ["Gemini's data without a type", [{ inlineData: { mimeType: "image/png", data: BASE64 } }], "[image]"],
    ["Gemini's media", [{ type: "media", mimeType: "audio/mp3", data: BASE64 }], "[audio]"],
    ["Bedrock's picture without a type", [{ image: { format: "png", source: { bytes: BASE64 } } }], "[image]"],
    ["a picture that is called a file", [{ type: "file", mimeType: "image/jpeg", data: BASE64 }], "[image]"],
    ["a recording", [{ type: "input_audio", input_audio: { data: BASE64, format: "wav" } }], "[audio]"],
    ["a film", [{ type: "video_url", video_url: { url: "https://film.example/x.mp4" } }], "[video]"],
    [
      "a document",
      [{ type: "document", source: { type: "base64", media_type: "application/pdf", data: BASE64 } }],
      "[file]",
    ],
    ["a picture within a text", `Look ![Nacho](${PNG}) here`, "Look ![Nacho]([image]) here"],
    [
      "a file within a text block",
      [{ type: "text", text: `data:application/pdf;name=a.pdf;base64,${BASE64}` }],
      "[file]",
    ],
    ["strings as blocks", ["I row", "and knit"], "I row\nand knit"],
    ["a block that is not in a list", { type: "text", text: "I row" }, "I row"],
    [
      "a thought beside the answer",
      [
        { type: "thinking", thinking: "hm" },
        { type: "text", text: "Yes" },
      ],
      "Yes",
    ],
    [
      "a thought under the name of text",
      [
        { type: "reasoning", text: "hm" },
        { type: "text", text: "Yes" },
      ],
      "Yes",
    ],
    ["a tool call", [{ type: "tool_use", id: "c1", name: "weather", input: {} }], ""],
    ["null among blocks", [null, 7, { type: "text", text: "Yes" }], "Yes"],
    ["no blocks", [], ""],
    ["null", null, ""],
    ["nothing", undefined, ""],
    ["a number", 7, ""],
  ])("%s", (_title, content, expected) => {
    expect(contentText(content)).toBe(expected);
    const turn = turnOf({ role: "user", content });
    expect(turn === null ? "" : turn.content).toBe(expected);
    expect(JSON.stringify(turn)).not.toMatch(/[A-Za-z0-9+/]{64}|\[object Object\]/);
  });

  it.each([[[]], [null], [undefined], [""], ["  \n"], [[{ type: "tool_use", id: "c1", name: "x", input: {} }]]])(
    "a message of %j says nothing, and makes no turn",
    (content) => {
      expect(turnOf(new ForeignMessage("ai", content))).toBeNull();
    },
  );
});

describe("a message's own time and id are kept (R65)", () => {
  it.each<[string, unknown, unknown]>([
    ["a note of ours", { additional_kwargs: { timestamp: "2025-03-04T10:00:00Z" } }, "2025-03-04T10:00:00Z"],
    ["a note of the provider", { response_metadata: { timestamp: "2025-03-04" } }, "2025-03-04"],
    [
      "the first note that can be read",
      { additional_kwargs: { timestamp: "soon" }, response_metadata: { timestamp: "2025-03-04" } },
      "2025-03-04",
    ],
    ["a note with an offset", { additional_kwargs: { timestamp: "2025-03-04 10:00-08:00" } }, "2025-03-04 10:00-08:00"],
    ["a note that is a Date", { additional_kwargs: { timestamp: new Date(0) } }, new Date(0)],
    ["a field of its own", { timestamp: "2025-03-04T10:00:00+01:00" }, "2025-03-04T10:00:00+01:00"],
    ["a field before notes", { timestamp: "2025-03-04", additional_kwargs: { timestamp: "2024-01-01" } }, "2025-03-04"],
    ["a note in words", { additional_kwargs: { timestamp: "March 4, 2025" } }, undefined],
    ["a note of a day that is none", { additional_kwargs: { timestamp: "2025-02-31" } }, undefined],
    ["a note that is a number", { response_metadata: { timestamp: 1_741_082_400 } }, undefined],
    ["notes that are none", { additional_kwargs: null, response_metadata: "x" }, undefined],
  ])("%s", (_title, fields, timestamp) => {
    expect(turnOf({ role: "user", content: "I row", ...(fields as object) })?.timestamp).toEqual(timestamp);
  });

  it.each<[string, unknown, string | undefined]>([
    ["of an instance", new HumanMessage({ content: "I row", id: "h1" }), "h1"],
    ["of another copy's instance", new ForeignMessage("human", "I row", "h2"), "h2"],
    [
      "of a serialised one, not its class",
      JSON.parse(JSON.stringify(new HumanMessage({ content: "I row", id: "h3" }))),
      "h3",
    ],
    ["of a stored one", new HumanMessage({ content: "I row", id: "h4" }).toDict(), "h4"],
    ["of a plain one", { role: "user", content: "I row", id: "h5" }, "h5"],
    ["in another script", { role: "user", content: "I row", id: "消息-6" }, "消息-6"],
    ["none in a pair", ["human", "I row"], undefined],
    ["none in a serialised one without", constructed("HumanMessage", { content: "I row" }), undefined],
    ["none when it is blank", { role: "user", content: "I row", id: "  " }, undefined],
    ["none when it is no text", { role: "user", content: "I row", id: 7 }, undefined],
    ["none when it is null", { role: "user", content: "I row", id: null }, undefined],
  ])("id %s", (_title, input, id) => {
    expect(turnOf(input)?.id).toBe(id);
  });
});

describe("a list and a pair are told apart (R65)", () => {
  it.each<[string, unknown, boolean]>([
    ["a pair", ["human", "I row"], false],
    ["a pair in capitals", ["User", "I row"], false],
    ["a list of one pair", [["human", "I row"]], true],
    [
      "a list of two pairs",
      [
        ["human", "I row"],
        ["ai", "Noted"],
      ],
      true,
    ],
    ["a list of two messages", [new HumanMessage("I row"), new AIMessage("Noted")], true],
    ["an empty list", [], true],
    ["two texts that are no pair", ["I row", "I knit"], true],
    ["a message", new HumanMessage("I row"), false],
  ])("%s", (_title, input, isList) => {
    expect(isInputList(input as AddInput)).toBe(isList);
  });
});
