// Calls with audio whose provider reports no usage: what was sent is counted, what may have been used is
// estimated, both at the prices of audio and of searches. The expected amounts are calculated here.
import { expect, test } from "bun:test";
import { type Script, silentWav } from "@turnpike/testing";
import { type JsonObject, startTestServer, useServer } from "../harness/index.ts";
import { askBilled } from "./ask-billed.ts";
import { leaveInTheMiddle } from "./leave-in-the-middle.ts";

const model = "audio/model";

function catalog(baseUrl: string): string {
  return `
providers:
  - { id: scripted, baseUrl: "${baseUrl}" }
models:
  - id: ${model}
    created: "2026-01-01"
    contextTokens: 200000
    maxOutputTokens: 4096
    audioTokensPerSecond: 10
    routes: [{ provider: scripted, model: upstream-audio }]
    prices: { input: "1", output: "2", audioInput: "40", audioOutput: "80", webSearch: "25" }
`;
}

/** In nano-dollars: a token costs thousands of them, so nothing is rounded. */
function priceOf(used: { readonly prompt: number; readonly text: number; readonly audio: number }) {
  return BigInt(used.prompt * 1_000 + used.text * 2_000 + used.audio * 80_000);
}

const { server, account } = await useServer(startTestServer({ catalog }), { usd: "1000" });

const streamed = { stream: true, stream_options: { include_usage: true } };
const speech = { modalities: ["text", "audio"], audio: { voice: "alloy", format: "pcm16" } };
/** A second of 24 kHz and 16 bits: 20 tokens. */
const audio = { id: "audio_1", data: "A".repeat(64_000), transcript: "hi", expires_at: 1 };

function call(script: Script, fields: JsonObject, onText?: (text: string) => void) {
  return askBilled(server, {
    key: account.key,
    model,
    script: { usage: "missing", lastDelta: { audio }, ...script },
    fields: { ...speech, ...fields },
    ...(onText && { onText }),
  });
}

test("a stream of audio without usage is billed for what was sent", async () => {
  const { received, row } = await call({ deltas: 1 }, streamed);
  expect(received.text).toContain("AAAA");
  expect(row).toMatchObject({ usageSource: "counted", completionTokens: 22 });
  expect(row.chargedNanos).toBe(priceOf({ prompt: row.promptTokens, text: 2, audio: 20 }));
});

test.each(["cut", "reset"] as const)(
  "a stream whose connection is %s is billed for the audio that was delivered, within the hold",
  async (ending) => {
    // The upstream breaks off once its client has the audio.
    const script: Script = { tag: ending, deltas: 1, gate: true, ending };
    const { received, row } = await call(script, streamed, (text) => {
      if (text.includes("AAAA")) server.upstream.open(ending);
    });
    expect(received).toMatchObject({ complete: false, error: { code: "bad_gateway" } });
    expect(row).toMatchObject({
      outcome: "upstream_failed",
      usageSource: "counted",
      completionTokens: 22,
      shortfallNanos: 0n,
    });
    expect(row.chargedNanos).toBe(priceOf({ prompt: row.promptTokens, text: 2, audio: 20 }));
    expect(row.chargedNanos).toBeLessThanOrEqual(row.heldNanos);
  },
);

test("audio beyond the limit ends an answer, as text does", async () => {
  // A quarter of the audio would be within the error of an estimate.
  const { received, row } = await call({ deltas: 1 }, { ...streamed, max_tokens: 4 });
  expect(received.text).not.toContain("AAAA");
  expect(row).toMatchObject({ outcome: "upstream_failed", completionTokens: 1 });
});

test("a whole audio answer without usage is billed by its length", async () => {
  const { row } = await call({ deltas: 1 }, {});
  expect(row).toMatchObject({ outcome: "completed", usageSource: "counted" });
  const text = row.completionTokens - 20;
  expect(text).toBeGreaterThan(0);
  expect(row.chargedNanos).toBe(priceOf({ prompt: row.promptTokens, text, audio: 20 }));
});

test("a client that disconnects from a call with audio and a search pays the upper estimate at their prices", async () => {
  const { row } = await leaveInTheMiddle(server, {
    name: "audio-estimated",
    key: account.key,
    model,
    script: { deltas: 20, usage: "missing" },
    fields: { ...streamed, ...speech, web_search_options: {}, max_tokens: 60 },
    parts: [{ type: "input_audio", input_audio: { data: silentWav(60), format: "wav" } }],
  });
  expect(row).toMatchObject({ outcome: "client_closed", usageSource: "estimated" });
  // 600 tokens of audio in the prompt, 60 in the answer, and a search.
  expect(row.chargedNanos).toBeGreaterThan(BigInt(600 * 40_000 + 60 * 80_000 + 25_000_000));
  expect(row.chargedNanos).toBe(row.heldNanos);
});
