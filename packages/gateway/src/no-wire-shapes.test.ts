// The gateway knows no protocol's shape: every answer was written by a protocol, and everything it
// reads was read by a dialect. A new one is a folder in `wire` or `providers` and nothing here.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const shapes = [
  "choices",
  "stream_options",
  "chat.completion",
  "[DONE]",
  "chatId",
  "tool_calls",
  "finish_reason",
  "prompt_tokens",
  "routes[0]",
  "quirks",
];

test("no file of the gateway names a shape of a protocol or a quirk of a dialect", () => {
  const isTestSupport = /\.(?:test|fixture)\./;
  const all = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" });
  const files = all.filter((name) => name.endsWith(".ts") && !isTestSupport.test(name));
  expect(files.length).toBeGreaterThan(10);
  const found = files.flatMap((name) => {
    const text = readFileSync(join(import.meta.dirname, name), "utf8");
    return shapes.filter((shape) => text.includes(shape)).map((shape) => `${name}: ${shape}`);
  });
  expect(found).toEqual([]);
});
