// Captions and times of a model that knows none: refused by name before anything is held or sent, and asked of the routes that
// know them where there are some.
import { afterAll, afterEach, expect, test } from "bun:test";
import { wavFile } from "@turnpike/testing";
import {
  at,
  expectCleanBooks,
  getPath,
  openAccount,
  readJson,
  readMoney,
  startTestServer,
} from "../harness/index.ts";

const catalog = (baseUrl: string) => `
providers:
  - { id: plain, baseUrl: "${baseUrl}" }
  - { id: timed, baseUrl: "${baseUrl}" }
models:
  - id: test/untimed
    operation: transcription
    routes: [{ provider: plain, model: upstream-transcription }]
    prices: { audioMinute: "0.006" }
  - id: test/sometimes
    operation: transcription
    capabilities: [timestamps]
    routes:
      - { provider: plain, model: upstream-transcription-tokens, parameters: [language, response_format] }
      - { provider: timed, model: upstream-transcription }
    prices: { audioMinute: "0.006" }
`;

const server = await startTestServer({ catalog });
afterAll(() => server.close());
afterEach(() => expectCleanBooks(server));

const verbose = { response_format: "verbose_json" };
const needsTimes = [
  ["srt", { response_format: "srt" }, "response_format"],
  ["vtt", { response_format: "vtt" }, "response_format"],
  ["words", { ...verbose, "timestamp_granularities[]": "word" }, "timestamp_granularities"],
  ["segments", { ...verbose, "timestamp_granularities[]": "segment" }, "timestamp_granularities"],
] as const;

function transcribe(key: string, fields: Readonly<Record<string, string>>): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append("file", new File([new Uint8Array(wavFile({ seconds: 2 }))], "a.wav"));
  const headers = { authorization: `Bearer ${key}` };
  return fetch(`${server.baseUrl}/audio/transcriptions`, { method: "POST", headers, body: form });
}

test.each(needsTimes)("%s are refused by name, and nothing is sent", async (_, fields, param) => {
  const account = await openAccount(server);
  const before = server.upstream.requests.length;
  const response = await transcribe(account.key, { model: "test/untimed", ...fields });
  expect([response.status, at(await readJson(response), "error.param")]).toEqual([400, param]);
  expect(server.upstream.requests.length).toBe(before);
  expect(await readMoney(server, account.id)).toMatchObject({ balanceNanos: 10_000_000_000n });
});

test.each(needsTimes)("%s are asked of the route that has them", async (_, fields) => {
  const account = await openAccount(server);
  const response = await transcribe(account.key, { model: "test/sometimes", ...fields });
  expect(response.status).toBe(200);
  expect(await response.text()).toContain("2");
  const id = response.headers.get("x-generation-id");
  const generation = await readJson(await getPath(server, account.key, `/generation?id=${id}`));
  expect(at(generation, "data.provider_name")).toBe("timed");
});

test("what needs no times is asked of the first route, and only timed models list the parameter", async () => {
  const account = await openAccount(server);
  const response = await transcribe(account.key, { model: "test/sometimes" });
  expect(response.status).toBe(200);
  expect(server.upstream.requests.at(-1)?.parsed).toMatchObject({
    model: "upstream-transcription-tokens",
  });
  const listOf = async (id: string) => {
    const answer = await readJson(await getPath(server, account.key, `/models/${id}`));
    return at(answer, "supported_parameters") ?? at(answer, "data.supported_parameters");
  };
  expect(await listOf("test/sometimes")).toContain("timestamp_granularities");
  expect(await listOf("test/untimed")).not.toContain("timestamp_granularities");
});
