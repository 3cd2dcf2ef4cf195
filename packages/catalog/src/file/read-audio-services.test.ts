// Providers that serve audio alone: known by their ids, with keys of their own, and never asked for a chat.
import { expect, test } from "bun:test";
import { readCatalog } from "./read-catalog.ts";

test.each([
  ["elevenlabs", "https://api.elevenlabs.io/v1", "xi-api-key"],
  ["deepgram", "https://api.deepgram.com/v1", "token"],
])(
  "%s is known by its id, has its own key, and is no route of a chat model",
  (id, baseUrl, scheme) => {
    const catalog = (model: string) => `
providers:
  - { id: ${id}, apiKey: k }
models:
  - id: test/model
    ${model}
    routes: [{ provider: ${id}, model: m }]
`;
    const speech = 'operation: speech\n    prices: { characters: "40" }';
    const { models } = readCatalog(catalog(speech), {}, { allowPrivate: false });
    expect(models[0]?.routes[0].provider).toMatchObject({
      kind: id,
      baseUrl,
      credential: { scheme, secret: "k" },
    });
    const chat =
      'contextTokens: 1\n    maxOutputTokens: 1\n    prices: { input: "1", output: "1" }';
    expect(() => readCatalog(catalog(chat), {}, { allowPrivate: false })).toThrow(
      `providers of kind "${id}" do not serve chat`,
    );
  },
);
