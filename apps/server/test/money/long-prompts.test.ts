// Prices by the size of the prompt: held at the most expensive list that the prompt can reach, billed at the list
// of the prompt that was reported. The expected amounts are calculated here, from the rates written below.
import { expect, test } from "bun:test";
import {
  at,
  getPath,
  type JsonObject,
  readJson,
  startTestServer,
  useServer,
} from "../harness/index.ts";
import { askBilled } from "./ask-billed.ts";
import { nanosOf, usdOf } from "./odd-prices.ts";

const model = "sizes/odd";
const above = 2_000;
const rates = {
  short: { input: 333_333_333n, cachedInput: 77_777_777n, output: 1_999_999_999n },
  long: { input: 777_777_777n, cachedInput: 99_999_999n, output: 2_999_999_999n },
} as const;
type Size = keyof typeof rates;

function listOf(size: Size): string {
  const { input, cachedInput, output } = rates[size];
  const [i, c, o] = [input, cachedInput, output].map(usdOf);
  return `input: "${i}", cachedInput: "${c}", output: "${o}"`;
}

function catalog(baseUrl: string): string {
  return `
providers:
  - { id: scripted, baseUrl: "${baseUrl}" }
models:
  - id: ${model}
    created: "2026-01-01"
    contextTokens: 32768
    maxOutputTokens: 4096
    capabilities: [files]
    routes: [{ provider: scripted, model: upstream-odd }]
    prices: { ${listOf("short")}, longPrompts: [{ above: ${above}, ${listOf("long")} }] }
`;
}

const { server, account } = await useServer(startTestServer({ catalog }));

function priceOf(size: Size, prompt: number, cached: number, completion: number): bigint {
  const { input, cachedInput, output } = rates[size];
  const millionths =
    BigInt(prompt - cached) * input + BigInt(cached) * cachedInput + BigInt(completion) * output;
  return (millionths + 999_999n) / 1_000_000n;
}

const data = "data:application/pdf;base64,JVBERi0=";
const file = { type: "file", file: { filename: "a.pdf", file_data: data } };

/** A call that may fill the context, because it has a file. */
function ask(prompt_tokens: number, fields: JsonObject) {
  const usage = {
    prompt_tokens,
    completion_tokens: 9,
    prompt_tokens_details: { cached_tokens: 5 },
  };
  const script = { deltas: 9, usage };
  const streamed = fields.stream === true ? { stream_options: { include_usage: true } } : {};
  return askBilled(server, {
    key: account.key,
    model,
    script,
    parts: [file],
    fields: { max_tokens: 50, ...fields, ...streamed },
  });
}

for (const stream of [false, true]) {
  test.each<[number, Size]>([
    [above, "short"],
    [above + 1, "long"],
    [32_768, "long"],
  ])(
    `stream ${stream}: a prompt of %p tokens is held for the longest and billed as a %s one`,
    async (prompt, size) => {
      const { received, row } = await ask(prompt, { stream });
      expect(row.heldNanos).toBe(priceOf("long", 32_768, 0, 50));
      expect(row.chargedNanos).toBe(priceOf(size, prompt, 5, 9));
      expect(row.shortfallNanos).toBe(0n);
      expect(nanosOf(received.usage?.cost)).toBe(row.chargedNanos);
    },
  );
}

test("a prompt that cannot be long is held at the price of short ones", async () => {
  const { row } = await askBilled(server, {
    key: account.key,
    model,
    script: { deltas: 3 },
    fields: { max_tokens: 50 },
  });
  expect(row.heldNanos).toBeLessThan(priceOf("long", above, 0, 50));
  expect(row.chargedNanos).toBe(priceOf("short", row.promptTokens, 0, 3));
});

test("the prices of long prompts are listed beside the others", async () => {
  const listed = await readJson(await getPath(server, account.key, `/models/${model}`));
  expect(at(listed, "pricing.prompt")).toBe("0.000000333333333");
  expect(at(listed, "long_prompts")).toMatchObject([
    { above_tokens: above, prompt: "0.000000777777777", completion: "0.000002999999999" },
  ]);
});
