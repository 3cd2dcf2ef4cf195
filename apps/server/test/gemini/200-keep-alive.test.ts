// A client of Gemini's API never waits in silence: it is sent line feeds, the only thing between responses that Google's SDKs
// take, before a late first response and between slow ones, and an error that comes after its 200 as a response.
import { afterAll, afterEach, expect, test } from "bun:test";
import { GoogleGenAI } from "@google/genai";
import { preparePython } from "@turnpike/testing";
import { runPythonCases } from "../clients/run-python-cases.ts";
import {
  expectCleanBooks,
  openAccount,
  scriptText,
  startTestServer,
  testModels,
} from "../harness/index.ts";
import { asking, postGemini } from "./ask-gemini.fixture.ts";

const server = await startTestServer({ times: { commitStreamMs: 100, keepAliveMs: 100 } });
const account = await openAccount(server);
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

const post = postGemini(server, account);
const path = `/v1beta/models/${testModels.cheap}:streamGenerateContent`;
const late = { deltas: 2, firstByteMs: 600, paceMs: 400 };

test("events and line feeds alone are sent, and the list stays JSON", async () => {
  const streamed = await (await post(`${path}?alt=sse`, asking(late))).text();
  expect(streamed).toMatch(/^\n+data: /);
  expect(streamed).toMatch(/\n\n\n+data: /);
  expect(streamed.replaceAll(/^data: \{.*\}$/gm, "").trim()).toBe("");
  const list: unknown = await (await post(path, asking(late))).json();
  expect(Array.isArray(list) && list.length).toBeGreaterThan(1);
});

test("@google/genai reads such a stream", async () => {
  const client = new GoogleGenAI({
    apiKey: account.key,
    httpOptions: { baseUrl: server.url },
  });
  const asked = { model: testModels.cheap, contents: scriptText(late) };
  let text = "";
  for await (const chunk of await client.models.generateContentStream(asked)) {
    text += chunk.text ?? "";
  }
  expect(text).toBe(" tok tok");
});

const python = await preparePython("google-genai-3.6.1");
if (python.kind === "absent") console.log(`skipped: google-genai-3.6.1 (${python.reason})`);

test.skipIf(python.kind === "absent")("google-genai reads such a stream", async () => {
  if (python.kind === "absent") return;
  const run = { path: python.path, key: account.key, cases: ["late_stream"] };
  const results = await runPythonCases(server, "google-genai", run);
  expect(results).toEqual([{ name: "late_stream", problem: null }]);
});

test("a refusal after the 200 is a response with an error", async () => {
  const asked = asking({ status: 503, firstByteMs: 600 });
  const answer = await post(`${path}?alt=sse`, asked);
  expect(answer.status).toBe(200);
  expect(await answer.text()).toMatch(/^\n+data: \{"error":\{"code":503,.*\}\}\n\n$/);
});
