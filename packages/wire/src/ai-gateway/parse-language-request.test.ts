// Bodies as large as those of agents, which every language of theirs takes.
import { expect, test } from "bun:test";
import { languageProtocol } from "./language-protocol.ts";

const protocol = languageProtocol({ model: "a/b", specification: 4, stream: false });
const parse = (body: object) => protocol.parse(JSON.stringify(body), new Headers());
const prompt = [{ role: "user", content: [{ type: "text", text: "hi" }] }];

test("many parts and many members of schemas are read", () => {
  const content = Array.from({ length: 20_000 }, () => ({ type: "text", text: "x" }));
  expect(parse({ prompt: [{ role: "user", content }] }).textBytes).toBeGreaterThan(20_000);
  const named = Array.from({ length: 100 }, (_, index) => [`p${index}`, { type: "string" }]);
  const inputSchema = { type: "object", properties: Object.fromEntries(named) };
  const tools = Array.from({ length: 100 }, (_, index) => ({
    type: "function",
    name: `f${index}`,
    inputSchema,
  }));
  expect(parse({ prompt, tools }).parsed.tools).toHaveLength(100);
});

test("a schema as deep as a body may be is read", () => {
  let inputSchema: object = { type: "string" };
  // The body, its list of tools and the tool are around it.
  for (let depth = 0; depth < 60; depth += 1) inputSchema = { not: inputSchema };
  const tools = [{ type: "function", name: "f", inputSchema }];
  expect(parse({ prompt, tools }).parsed.tools).toHaveLength(1);
});
