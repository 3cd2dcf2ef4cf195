// Options of providers that nothing is known of: they cost no more to read than the body that has them.
import { expect, test } from "bun:test";
import { Fault } from "@turnpike/base";
import { embeddingProtocol } from "./embedding-protocol.ts";
import { imageProtocol } from "./image-protocol.ts";
import { languageProtocol } from "./language-protocol.ts";

const embedding = embeddingProtocol({ model: "a/b", specification: 3 });
const language = languageProtocol({ model: "a/b", specification: 3, stream: false });
const headers = new Headers();
const prompt = [{ role: "user", content: [{ type: "text", text: "hi" }] }];

test("options that are no object are refused by name, and never read character by character", () => {
  for (const options of ["x".repeat(100_000), ["x"], 1, true]) {
    const providerOptions = { openai: options };
    for (const parse of [
      () => embedding.parse(JSON.stringify({ values: ["a"], providerOptions }), headers),
      () => language.parse(JSON.stringify({ prompt, providerOptions }), headers),
    ]) {
      expect(paramOf(parse)).toBe("providerOptions.openai");
    }
  }
});

test("an answer warns of a bounded number of options, each with a bounded name", () => {
  const names = Array.from({ length: 5_000 }, (_, index) => `${"n".repeat(1_000)}${index}`);
  const providerOptions = { openai: Object.fromEntries(names.map((name) => [name, 1])) };
  for (const { warnings } of [
    embedding.parse(JSON.stringify({ values: ["a"], providerOptions }), headers),
    language.parse(JSON.stringify({ prompt, providerOptions }), headers),
  ]) {
    expect(warnings.length).toBeGreaterThan(0);
    expect(JSON.stringify(warnings).length).toBeLessThan(100_000);
  }
});

test("AI SDK 5 is warned in the only way that its images know", () => {
  const image = imageProtocol({ model: "a/b", specification: 2 });
  const body = { prompt: "a cat", providerOptions: { fal: { x: 1 } } };
  const request = image.parse(JSON.stringify(body), headers);
  const identity = { id: "gen-1", created: 1, model: "a/b" };
  const unknown = { size: undefined, quality: undefined, outputFormat: undefined };
  const images = [{ base64: "AAAA" }];
  const content = { kind: "images", images, ...unknown, background: undefined } as const;
  const { warnings } = JSON.parse(image.writeWhole(content, identity, undefined, request));
  const message = "providerOptions.fal.x: This option is not passed on.";
  expect(warnings).toEqual([{ type: "other", message }]);
});

function paramOf(run: () => unknown): unknown {
  try {
    run();
  } catch (thrown) {
    return thrown instanceof Fault ? thrown.details.param : thrown;
  }
  return undefined;
}
