// Images in answers of language models: their bytes, or the address of one that a provider only names.
import { expect, test } from "bun:test";
import type { DeltaEvent } from "../protocol/pivot.ts";
import type { Specification } from "./call-notes.ts";
import { languageProtocol } from "./language-protocol.ts";
import { contentOfParts, PartWriter } from "./part-writer.ts";

const body = JSON.stringify({
  prompt: [{ role: "user", content: [{ type: "text", text: "hi" }] }],
});

function contentOf(specification: Specification, url: string): unknown {
  const protocol = languageProtocol({ model: "a/b", specification, stream: false });
  const writer = new PartWriter(protocol.parse(body, new Headers()));
  const image: DeltaEvent = { kind: "image", choice: 0, url };
  return contentOfParts([...writer.write(image), ...writer.write(image), ...writer.end()]);
}

test("an image in the answer is a file with its bytes", () => {
  const inline = "data:image/png;base64,AAAA";
  const file = { type: "file", mediaType: "image/png" };
  expect(contentOf(3, inline)).toEqual(Array(2).fill({ ...file, data: "AAAA" }));
  const data = { type: "data", data: "AAAA" };
  expect(contentOf(4, inline)).toEqual(Array(2).fill({ ...file, data }));
});

test("an image at an address is never an empty file", () => {
  const url = "https://example.com/cat,1.png";
  const data = { type: "url", url };
  expect(contentOf(4, url)).toEqual(Array(2).fill({ type: "file", mediaType: "image/*", data }));
  for (const specification of [2, 3] as const) {
    const source = { type: "source", sourceType: "url", url };
    expect(contentOf(specification, url)).toEqual([
      { ...source, id: "image_0" },
      { ...source, id: "image_1" },
    ]);
  }
});
