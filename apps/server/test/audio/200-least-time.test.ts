// Audio that is shorter than what a provider bills at least: held for and billed as that, whatever is reported.
import { afterAll, afterEach, expect, test } from "bun:test";
import { wavFile } from "@turnpike/testing";
import {
  at,
  expectCleanBooks,
  openAccount,
  readJson,
  readMoney,
  startTestServer,
} from "../harness/index.ts";

const catalog = (baseUrl: string) => `
providers:
  - { id: scripted, baseUrl: "${baseUrl}" }
models:
  - id: test/least
    operation: transcription
    minSeconds: 10
    routes: [{ provider: scripted, model: upstream-transcription }]
    prices: { audioMinute: "0.006" }
`;

const server = await startTestServer({ catalog });
afterAll(() => server.close());
afterEach(() => expectCleanBooks(server));

function transcribe(key: string, seconds: number, usage = "right"): Promise<Response> {
  const form = new FormData();
  form.append("model", "test/least");
  form.append("prompt", `#script ${JSON.stringify({ usage })}`);
  form.append("file", new File([new Uint8Array(wavFile({ seconds }))], "a.wav"));
  const headers = { authorization: `Bearer ${key}` };
  return fetch(`${server.baseUrl}/audio/transcriptions`, { method: "POST", headers, body: form });
}

test.each([
  [2, "right", 1_000_000n],
  [2, "missing", 1_000_000n],
  [2, "zero", 1_000_000n],
  [30, "right", 3_000_000n],
  [30, "missing", 3_000_000n],
] as const)("%p seconds with %s usage cost at least ten", async (seconds, usage, nanos) => {
  const account = await openAccount(server);
  const response = await transcribe(account.key, seconds, usage);
  expect(response.status).toBe(200);
  const body = await readJson(response);
  expect(at(body, "usage.seconds")).toBe(Math.max(10, seconds));
  const { balanceNanos } = await readMoney(server, account.id);
  expect(10_000_000_000n - balanceNanos).toBe(nanos);
});

test("the least time is held for", async () => {
  const account = await openAccount(server, { usd: "0.0009" });
  const response = await transcribe(account.key, 2);
  expect(response.status).toBe(402);
  expect(at(await readJson(response), "error.metadata.needed_usd")).toBe("0.001");
});
