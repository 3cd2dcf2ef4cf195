// Vectors that are copied are, as JSON, what parsing them and writing them again makes of them; and usual ones are copied.
import { expect, test } from "bun:test";
import { embeddingsProtocol, parseEmbeddingsRequest } from "@turnpike/wire";
import fc from "fast-check";
import type { WholeAnswer } from "../../provider.ts";
import { sampleProvider } from "../openai/sample-call.fixture.ts";
import { copyVectors } from "./copy-vectors.ts";
import { embeddingsDialect, parseAll } from "./embeddings-dialect.ts";

function callOf(fields: Readonly<Record<string, unknown>>) {
  const raw = JSON.stringify({ model: "vendor/model", input: ["a", "b"], ...fields });
  return {
    provider: sampleProvider("openai"),
    upstreamModel: "model-1",
    request: parseEmbeddingsRequest(raw),
    maxTokens: undefined,
    coveredTokens: 0,
    omittedFields: [],
    identity: { id: "gen-1", model: "vendor/model", created: 1 },
  };
}

type Read = (call: ReturnType<typeof callOf>, text: string, headers: Headers) => WholeAnswer;

/** What the caller is sent, with 0 for minus zero, which JSON writes as 0. */
function outcomeOf(read: Read, text: string, fields: Readonly<Record<string, unknown>>) {
  const call = callOf(fields);
  try {
    const { content, usage } = read(call, text, new Headers());
    const sent = embeddingsProtocol.writeWhole(content, call.identity, undefined, call.request);
    return { usage, sent: JSON.parse(sent, (_, value) => (value === 0 ? 0 : value)) as unknown };
  } catch (thrown) {
    return String(thrown);
  }
}

const asWritten: Read = (call, text, headers) => embeddingsDialect.parseWhole(call, text, headers);

const number = fc.oneof(
  { weight: 30, arbitrary: fc.float({ noNaN: true, min: -1, max: 1 }).map(String) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "-0",
      "1e39",
      "1e-9",
      "-1.5E-07",
      "01",
      "1.",
      ".5",
      "null",
      '"1"',
      "[]",
      "1e",
      "9".repeat(40),
      "-",
    ),
  },
);
const space = fc.constantFrom("", "", " ", "\n  ");
const seldom = (usual: string, ...others: readonly string[]) =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );

const entry = (index: number) =>
  fc
    .record({
      numbers: fc.oneof(
        { weight: 12, arbitrary: fc.array(number, { minLength: 2, maxLength: 2 }) },
        { weight: 1, arbitrary: fc.array(number, { maxLength: 3 }) },
      ),
      object: seldom('"object":"embedding"', '"object":"list"', '"object":null', '"x":1'),
      index: seldom(
        `"index":${index}`,
        `"index":${1 - index}`,
        `"index":${index}.0`,
        '"index":null',
        '"index":0,"index":1',
      ),
      isLast: fc.boolean(),
      gap: space,
    })
    .map(({ numbers, object, index: own, isLast, gap }) => {
      const vector = `"embedding"${gap}:${gap}[${gap}${numbers.join(`${gap},${gap}`)}${gap}]`;
      const members = isLast ? [object, own, vector] : [object, vector, own];
      return `${gap}{${gap}${members.join(`${gap},${gap}`)}${gap}}${gap}`;
    });

const answer = fc
  .tuple(
    entry(0),
    entry(1),
    space,
    seldom("", ',"data":[]', ',"d\\u0061ta":[]', ',"extra":{"data":[1]}', ",", "}"),
  )
  .chain(([first, second, gap, more]) => {
    const usage = '"usage":{"prompt_tokens":4,"total_tokens":4}';
    const data = `"data"${gap}:${gap}[${first},${second}]`;
    return fc.constantFrom(
      `{"object":"list",${data},"model":"m",${usage}${more}}`,
      `${gap}{${gap}"object":"list",${data}${more},${usage}}${gap}`,
      `{${usage},${data}${more}}`,
      `{"x":{${data}},"data":[]}`,
      `{"object":"list","data":[${first}],${usage}}`,
    );
  });

test("copied vectors are what parsing them and writing them again makes of them", () => {
  let copied = 0;
  const fields = fc.constantFrom({}, { encoding_format: "base64" }, { dimensions: 3 });
  fc.assert(
    fc.property(answer, fields, (text, own) => {
      const asked = { encoding_format: "float", ...own };
      expect(outcomeOf(asWritten, text, asked)).toEqual(outcomeOf(parseAll, text, asked));
      if (copyVectors(text, callOf(asked).request) !== undefined) copied += 1;
    }),
    { numRuns: 3_000 },
  );
  // Otherwise the property would be about nothing.
  expect(copied).toBeGreaterThan(100);
});

test("the answers of OpenAI, which is indented, and of vLLM are copied", () => {
  const { request } = callOf({ encoding_format: "float" });
  const vectors = [
    [0.1, -1.5e-7],
    [0.25, 3],
  ];
  const usage = { prompt_tokens: 4, total_tokens: 4 };
  const openai = vectors.map((embedding, index) => ({ object: "embedding", index, embedding }));
  const vllm = vectors.map((embedding, index) => ({ index, object: "embedding", embedding }));
  for (const data of [openai, vllm]) {
    const body = { object: "list", data, model: "m", usage };
    expect(copyVectors(JSON.stringify(body, null, 2), request)).toBeDefined();
    expect(copyVectors(JSON.stringify({ id: "embd-1", ...body }), request)).toBeDefined();
  }
});
