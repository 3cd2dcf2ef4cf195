// Every refusal of the Interactions API has the format of Google's APIs and names the member, nothing is stored, and a stream
// that fails is cut behind its error: the SDKs would take a clean end for a complete answer.
import { describe, expect, test } from "bun:test";
import { postGemini } from "../gemini/ask-gemini.fixture.ts";
import {
  at,
  countCalls,
  expectCleanBooks,
  openAccount,
  readJson,
  startTestServer,
  testModels,
  useServer,
} from "../harness/index.ts";
import { asking, eventOf, postInteraction } from "./ask-interactions.fixture.ts";

const { server, account } = await useServer(startTestServer());
const model = testModels.cheap;
const post = postInteraction(server, account);
const hello = { model, input: "Hello" };

test("without a key, with an unknown model and with an empty wallet", async () => {
  const poor = await openAccount(server, { usd: "0" });
  const refusals = [
    [await post(hello, {}), 401, "UNAUTHENTICATED", "MISSING_API_KEY"],
    [await post(hello, { "x-goog-api-key": "sk-no" }), 401, "UNAUTHENTICATED", "API_KEY_INVALID"],
    [await post({ ...hello, model: "none" }), 404, "NOT_FOUND", "MODEL_NOT_FOUND"],
    [await post("{"), 400, "INVALID_ARGUMENT", "INVALID_JSON"],
    [await post({ model }), 400, "INVALID_ARGUMENT", "MISSING_REQUIRED_PARAMETER"],
    // Clients repeat a 429, and no 402.
    [await postInteraction(server, poor)(hello), 402, "RESOURCE_EXHAUSTED", "QUOTA_EXHAUSTED"],
    [await post(asking(model, { status: 429 })), 429, "RESOURCE_EXHAUSTED", "RATE_LIMIT_EXCEEDED"],
  ] as const;
  for (const [answer, code, status, reason] of refusals) {
    const { error } = await readJson(answer);
    expect([answer.status, at(error, "code"), at(error, "status")]).toEqual([code, code, status]);
    expect(at(error, "details.0.reason")).toBe(reason);
  }
});

test("what needs something that is stored is a 400 that names it and says what to do", async () => {
  const cases: readonly (readonly [object, string, string])[] = [
    [{ previous_interaction_id: "v1_a" }, "previous_interaction_id", "Interactions are not stored"],
    [{ background: true }, "background", "wait for the answer"],
    [{ agent: "deep-research" }, "agent", "Name a 'model'"],
    [{ tools: [{ type: "google_search" }] }, "tools[0].type", "run them yourself"],
    [{ input: [{ type: "file_search_call", id: "a" }] }, "input[0].type", "Leave its steps out"],
    [{ surprise: 1 }, "surprise", "no provider has a counterpart"],
    [{ response_format: { type: "image" } }, "response_format", ""],
    [{ service_tier: "flex" }, "service_tier", ""],
    [{ input: [{ type: "image", mime_type: "image/png", data: "AAAA" }] }, "input[0]", ""],
  ];
  for (const [fields, member, advice] of cases) {
    const answer = await post({ ...hello, ...fields });
    const { error } = await readJson(answer);
    expect([member, answer.status]).toEqual([member, 400]);
    expect(at(error, "details.1.fieldViolations.0.field")).toBe(member);
    expect(String(at(error, "message"))).toContain(advice);
  }
});

describe("malformed input is a 400 that costs nothing", () => {
  const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
  const text = JSON.stringify({ type: "text", text: "" });
  test.each([
    ["nested too deep", `{"model":"${model}","input":${nested(5_000)}}`],
    [
      "with arguments nested too deep",
      `{"model":"${model}","input":[{"type":"function_call","id":"a","name":"f","arguments":${nested(5_000)}}]}`,
    ],
    [
      "with too many contents",
      `{"model":"${model}","input":[${`${text},`.repeat(100_001)}${text}]}`,
    ],
    ["with a member twice", `{"model":"${model}","input":{"type":"text","text":"a","text":"b"}}`],
    ["with half of a surrogate pair", `{"model":"${model}","input":"\\ud800"}`],
    ["that is a list", "[]"],
    ["with a prototype", `{"model":"${model}","input":[{"__proto__":{"type":"text"}}]}`],
    [
      "with a signature that is not one of ours",
      JSON.stringify({
        model,
        input: [
          { type: "user_input", content: "Hi" },
          { type: "thought", signature: btoa(`turnpike1.${btoa(nested(5_000))}`) },
        ],
      }),
    ],
  ])("%s", async (_, body) => {
    const { calls, charges } = await countCalls(server, account, async () => {
      const answer = await post(body);
      const { error } = await readJson(answer);
      expect([answer.status, at(error, "status")]).toEqual([400, "INVALID_ARGUMENT"]);
    });
    expect([calls, charges.length]).toEqual([0, 0]);
  });
});

test.each([
  ["GET", "/gen-1?stream=false"],
  ["DELETE", "/gen-1"],
  ["POST", "/gen-1/cancel"],
])("%s of an interaction is a 404 that says nothing is stored", async (method, rest) => {
  const headers = { "x-goog-api-key": account.key };
  for (const base of ["/v1beta", "/v1", "/v1/v1beta"]) {
    const answer = await fetch(`${server.url}${base}/interactions${rest}`, { method, headers });
    const { error } = await readJson(answer);
    expect([answer.status, at(error, "status")]).toEqual([404, "NOT_FOUND"]);
    expect(String(at(error, "message"))).toContain("interactions are not stored here");
  }
  const unknown = await fetch(`${server.url}/v1beta/interactions${rest}`, { method });
  expect(unknown.status).toBe(401);
});

test("a method that the path has not is a 405 in Google's format", async () => {
  const answer = await fetch(`${server.url}/v1beta/interactions`, { method: "DELETE" });
  const { error } = await readJson(answer);
  expect([answer.status, at(error, "status")]).toEqual([405, "UNIMPLEMENTED"]);
});

/** What arrived, and whether the connection was cut behind it. */
async function readCut(answer: Response): Promise<{ text: string; isCut: boolean }> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const chunk of answer.body ?? []) text += decoder.decode(chunk, { stream: true });
  } catch {
    return { text, isCut: true };
  }
  return { text, isCut: false };
}

test("a stream that breaks off ends with an error event and a cut connection", async () => {
  const { charges } = await countCalls(server, account, async () => {
    const asked = asking(model, { deltas: 3, cutAfterDeltas: 2 }, { stream: true });
    const { text, isCut } = await readCut(await post(asked));
    const events = text.trimEnd().split("\n\n").map(eventOf);
    expect(isCut).toBe(true);
    expect(events.map(({ event_type: type }) => type)).toEqual([
      "interaction.created",
      "step.start",
      "step.delta",
      "step.delta",
      "error",
    ]);
    expect(events.at(-1)?.error).toEqual({ code: "UNAVAILABLE", message: expect.any(String) });
    expect(text).not.toContain("[DONE]");
  });
  // What was delivered, once.
  expect(charges).toHaveLength(1);
});

test("a client that leaves is charged once for what it got, and the books are clean", async () => {
  const { calls, charges } = await countCalls(server, account, async () => {
    const leaving = new AbortController();
    const asked = asking(model, { tag: "left", deltas: 4, gate: true }, { stream: true });
    const answer = await fetch(`${server.url}/v1beta/interactions`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-goog-api-key": account.key },
      body: JSON.stringify(asked),
      signal: leaving.signal,
    });
    const decoder = new TextDecoder();
    let text = "";
    for await (const chunk of answer.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (text.split('"step.delta"').length > 4) break;
    }
    leaving.abort();
    server.upstream.open("left");
  });
  expect([calls, charges.length]).toEqual([1, 1]);
  await expectCleanBooks(server);
});

test("its key is answered once, and asked for otherwise refused", async () => {
  const headers = { "x-goog-api-key": account.key, "idempotency-key": "interaction" };
  const { calls } = await countCalls(server, account, async () => {
    const first = await readJson(await post(hello, headers));
    const again = await post(hello, headers);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(await readJson(again)).toEqual(first);
    const other = await postGemini(server, account)("/v1/interactions", asking(model, {}), headers);
    expect([other.status, at(await readJson(other), "error.status")]).toEqual([409, "ABORTED"]);
  });
  expect(calls).toBe(1);
});
