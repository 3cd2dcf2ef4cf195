import { expect, test } from "bun:test";
import { isFound } from "../history/search-history.ts";
import {
  type Conversation,
  type Message,
  newConversation,
  newMessage,
  newThread,
} from "./conversation.ts";
import { writeConversation } from "./conversation-file.ts";
import { parseConversation } from "./parse-conversation.ts";
import { writeMarkdown } from "./write-markdown.ts";

const image = { name: "dot.png", mimeType: "image/png", dataUrl: "data:image/png;base64,AQID" };
const run = {
  model: "test/one",
  firstTokenMs: 12,
  totalMs: 80,
  usage: { promptTokens: 9, completionTokens: 3, costUsd: "0.000004" },
  ending: { kind: "complete", finishReason: "stop" },
  schema: "{}",
} as const;
const answer: Message = {
  ...newMessage("assistant", "**Rome**"),
  reasoning: "Italy.",
  toolCalls: [{ id: "call_1", name: "look_up", arguments: '{"of":"Italy"}', result: "Rome" }],
  run: { ...run, generationId: "gen-1" },
};
const question = newMessage("user", "The capital of Italy?", [image]);
const empty = newConversation(["test/one", "test/two"], [question, answer]);
const talk: Conversation = {
  ...empty,
  name: "Capitals",
  system: "Be brief.",
  parameters: {
    ...empty.parameters,
    effort: "high",
    provider: "cloud",
    temperature: "0.5",
    json: true,
    mocks: { look_up: "Rome" },
  },
};
const text = writeConversation(talk);
type Change = (file: Record<string, unknown>) => void;
const changed = (change: Change) => {
  const file = JSON.parse(text);
  change(file);
  return JSON.stringify(file);
};

test("a file has the whole conversation, without the ids of requests", () => {
  const read = parseConversation(text);
  expect(read.id).not.toBe(talk.id);
  expect({ ...read, id: "", updatedAt: 0, threads: [] }).toEqual({
    ...talk,
    id: "",
    updatedAt: 0,
    threads: [],
  });
  const [first, second] = read.threads;
  expect(second?.model).toBe("test/two");
  expect(first?.messages[0]).toMatchObject({ role: "user", attachments: [image] });
  expect(first?.messages[1]).toMatchObject({
    text: "**Rome**",
    reasoning: "Italy.",
    toolCalls: answer.toolCalls,
    run,
  });
  expect(text).not.toContain("gen-1");
  // Writing what was read gives the same file.
  expect(writeConversation(read)).toBe(text);
});

const message = (patch: object) => (file: Record<string, unknown>) => {
  const [{ messages }] = file.threads as [{ messages: object[] }];
  Object.assign(messages[0] ?? {}, patch);
};

test("a file of an earlier version, without an effort and a provider, leaves them to the model", () => {
  const older = changed((file) => (file.parameters = { temperature: "1" }));
  expect(parseConversation(older).parameters).toMatchObject({
    effort: "",
    provider: "",
    temperature: "1",
  });
});

test.each([
  ["not JSON", "{", "The file is not JSON."],
  ["another file", '{"a":1}', "This is not the file of a conversation."],
  ["a list", "[]", "The file must be an object."],
  ["a later version", changed((f) => (f.version = 2)), "The file is not of version 1."],
  ["no messages", changed((f) => (f.threads = [])), "The file has no messages."],
  ["five models", changed((f) => (f.threads = Array(5).fill({}))), "threads has more than 4"],
  ["an unknown field", changed((f) => (f.surprise = 1)), "surprise is not known."],
  ["another role", changed(message({ role: "tool" })), "threads[0].messages[0].role must be user"],
  ["a text that is a number", changed(message({ text: 1 })), "threads[0].messages[0].text must be"],
  ["a part", changed(message({ image_url: {} })), "threads[0].messages[0].image_url is not known."],
  [
    "an address instead of data",
    changed(message({ attachments: [{ ...image, dataUrl: "https://evil.example/x.png" }] })),
    "threads[0].messages[0].attachments[0].dataUrl must be image/png in base64.",
  ],
  [
    "a script as an image",
    changed(message({ attachments: [{ ...image, mimeType: "image/svg+xml" }] })),
    "threads[0].messages[0].attachments[0].mimeType must be",
  ],
  ["five images", changed(message({ attachments: Array(5).fill(image) })), "has more than 4"],
  ["too much text", changed(message({ text: "x".repeat(1_048_577) })), "more than 1 MB of text"],
  ["an unknown effort", changed((f) => (f.parameters = { effort: "all" })), "must be minimal or"],
  ["too large", " ".repeat(24 * 1_048_576 + 1), "larger than 24 MB"],
])("a file that is %s is refused, and the message says why", (_, wrong, problem) => {
  expect(() => parseConversation(wrong)).toThrow(problem);
});

test("Markdown has what was said, and fences longer than what they contain", () => {
  const call = { id: "1", name: "run", arguments: "```\nx", result: "" };
  const written = writeMarkdown(
    { ...talk, threads: [newThread("test/one", [{ ...answer, toolCalls: [call] }])] },
    (model) => `The ${model}`,
  );
  expect(written).toStartWith("# Capitals\n\n**System prompt**\n\n> Be brief.\n\n### The test/one");
  expect(written).toContain("**Rome**\n\n*Calls run*\n\n````json\n```\nx\n````\n");
  expect(writeMarkdown(talk, (model) => model)).toContain("*Attached: dot.png*");
});

test("conversations are found by all words of their name, models and messages", () => {
  for (const sought of ["", "capitals", "ITALY  two", "rome"]) {
    expect([sought, isFound(talk, sought)]).toEqual([sought, true]);
  }
  expect(isFound(talk, "capitals Paris")).toBe(false);
});
