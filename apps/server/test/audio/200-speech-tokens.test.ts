// Speech that is billed by tokens: by those that its provider reports, which it does in events alone, whichever form the caller
// asked for; and by how long it lasts where none are reported.
import { afterAll, afterEach, expect, test } from "bun:test";
import { speechSecondsOf, speechTokensPerSecond } from "@turnpike/testing";
import {
  expectCleanBooks,
  getPath,
  openAccount,
  postJson,
  readJson,
  readMoney,
  startTestServer,
  waitForSettled,
} from "../harness/index.ts";

const catalog = (baseUrl: string) => `
providers:
  - { id: scripted, baseUrl: "${baseUrl}" }
models:
  - id: test/tokens
    operation: speech
    routes: [{ provider: scripted, model: upstream-speech-tokens }]
    prices: { input: "1", audioOutput: "12" }
  - id: test/without-events
    operation: speech
    routes: [{ provider: scripted, model: upstream-speech }]
    prices: { input: "1", audioOutput: "12" }
`;

const server = await startTestServer({ catalog });
afterAll(() => server.close());
afterEach(() => expectCleanBooks(server));

const input = "The quick brown fox jumps over the lazy dog, and then over the next one as well.";

async function speak(fields: object, script: object = {}) {
  const account = await openAccount(server);
  const text =
    Object.keys(script).length === 0 ? input : `${input} #script ${JSON.stringify(script)}`;
  const asked = { model: "test/tokens", input: text, voice: "alloy", ...fields };
  const response = await postJson(server, account.key, "/audio/speech", asked);
  expect(response.status).toBe(200);
  const audio = Buffer.from(await response.arrayBuffer());
  await waitForSettled(server);
  const spent = 10_000_000_000n - (await readMoney(server, account.id)).balanceNanos;
  const id = response.headers.get("x-generation-id");
  const { data } = await readJson(await getPath(server, account.key, `/generation?id=${id}`));
  const facts = data as Record<string, unknown>;
  return { text, audio, spent, facts, type: response.headers.get("content-type") };
}

const spoken = (text: string) => Math.ceil(speechSecondsOf(text) * speechTokensPerSecond);

test.each(["mp3", "wav", "opus"])(
  "%s costs the tokens that are reported, and is passed on as the file that it is",
  async (response_format) => {
    const { text, audio, spent, facts, type } = await speak({ response_format });
    expect(type).toStartWith("audio/");
    expect(audio.subarray(0, 5).toString()).not.toBe("data:");
    expect(facts).toMatchObject({
      usage_source: "upstream",
      tokens_completion: spoken(text),
    });
    expect(spent).toBe(
      BigInt(Number(facts.tokens_prompt)) * 1_000n + BigInt(spoken(text)) * 12_000n,
    );
  },
);

test("events end with the counts of the provider and the cost", async () => {
  const { text, audio, spent } = await speak({ response_format: "pcm", stream_format: "sse" });
  const events = audio
    .toString()
    .split("\n\n")
    .filter(Boolean)
    .map((frame) => JSON.parse(frame.replace(/^data: /, "")));
  expect(events.at(-1)).toMatchObject({
    type: "speech.audio.done",
    usage: { output_tokens: spoken(text), cost: Number(spent) / 1e9 },
  });
  expect(events.filter(({ type }) => type === "speech.audio.done")).toHaveLength(1);
});

test.each([
  ["mp3", 0.04],
  ["wav", 0.02],
  ["pcm", 0.02],
  ["opus", 0.03],
  ["aac", 0.07],
] as const)(
  "%s of a provider that reports nothing costs as many tokens as it lasts",
  async (response_format, errorSeconds) => {
    for (const [fields, script] of [
      [{}, { usage: "missing" }],
      [{}, { usage: "zero" }],
      [{ model: "test/without-events" }, {}],
    ] as const) {
      const { text, facts, spent } = await speak({ response_format, ...fields }, script);
      const tokens = Number(facts.tokens_completion);
      expect(facts.usage_source).toBe("counted");
      const difference = Math.abs(tokens - speechSecondsOf(text) * speechTokensPerSecond);
      expect(difference).toBeLessThan(errorSeconds * speechTokensPerSecond + 2);
      expect(spent).toBeGreaterThanOrEqual(BigInt(tokens) * 12_000n);
    }
  },
);
