// Stored responses over every dialect, translated and native: the upstream gets the whole conversation and is told to store nothing.
import { afterEach, describe, expect, test } from "bun:test";
import { dialectCatalog, dialects } from "../clients/over-dialects.ts";
import {
  answerWith,
  asObject,
  at,
  expectCleanBooks,
  expectFault,
  readJson,
  startTestServer,
  useServer,
} from "../harness/index.ts";
import { storedEnvironment, user, useStored } from "./use-stored.fixture.ts";

const { server, account } = await useServer(
  startTestServer({ environment: storedEnvironment, catalog: dialectCatalog }),
);
const { ask, post, say } = useStored(server, account);
afterEach(() => expectCleanBooks(server));

const lastBody = () => JSON.stringify(server.upstream.requests.at(-1)?.parsed);

describe.each(dialects.map((name) => `over/${name}`))("%s", (model) => {
  test.each([false, true])("is continued with all before it, stream: %p", async (stream) => {
    const first = await say("The answer one.", { model, input: "Question one.", stream });
    expect(first.store).toBe(true);
    expect(await readJson(await ask(`/responses/${first.id}`))).toEqual(first);
    const second = await say("Two.", {
      model,
      input: "Question two.",
      previous_response_id: first.id,
      stream,
    });
    expect(second.previous_response_id).toBe(String(first.id));
    const body = lastBody();
    const places = ["Question one.", "The answer one.", "Question two."].map((text) =>
      body.indexOf(text),
    );
    expect(places.every((place) => place > 0)).toBe(true);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(body).not.toContain("resp_");
    expect(body).not.toContain('"store":true');
  });

  test("a compaction stands for everything before it", async () => {
    const first = await say("The answer one.", { model, input: "Question one." });
    answerWith(server, { text: "A summary." });
    const fields = { model, previous_response_id: first.id };
    const made = await readJson(
      await post("/responses/compact", { ...fields, input: "Last words." }),
    );
    expect(made).toMatchObject({ object: "response.compaction", output: [{ type: "compaction" }] });
    expect(Number(at(made, "usage.output_tokens"))).toBeGreaterThan(0);
    expect(lastBody()).toContain("Question one.");
    const input = [...(Array.isArray(made.output) ? made.output : []), user("Go on.")];
    await say("Three.", { model, input });
    expect(lastBody()).toContain("A summary.");
    expect(lastBody()).not.toContain("Question one.");
    const compacted = await say("A second summary.", {
      model,
      input: [user("Last words."), { type: "compaction_trigger" }],
      previous_response_id: first.id,
    });
    await say("Four.", { model, input: "Go on.", previous_response_id: compacted.id });
    expect(lastBody()).toContain("A second summary.");
    expect(lastBody()).not.toContain("Question one.");
    expect(lastBody()).not.toContain("Last words.");
  });
});

test("a model that writes no summary is an error, charged once", async () => {
  answerWith(server, { text: "" });
  const refused = await post("/responses/compact", { model: `over/${dialects[0]}`, input: "x" });
  await expectFault(refused, { status: 502, type: "upstream_error", code: "bad_gateway" });
});

test("a compaction is not streamed", async () => {
  const body = { model: `over/${dialects[0]}`, input: "x", stream: true };
  await expectFault(await post("/responses/compact", body), {
    status: 400,
    code: "unsupported_parameter",
    param: "stream",
  });
});

test("the same call under an Idempotency-Key is answered by what was stored, though its conversation has grown", async () => {
  const { id } = await readJson(await post("/conversations", {}));
  const body = { model: `over/${dialects[0]}`, input: "hi", conversation: id, store: true };
  const answers = [];
  for (let attempt = 0; attempt < 2; attempt += 1) {
    answerWith(server, { text: `answer ${attempt}` });
    const init = {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "idempotency-key": "k" },
    };
    answers.push(await readJson(await ask("/responses", init)));
  }
  expect(answers[1]).toEqual(asObject(answers[0]));
  const items = asObject(await readJson(await ask(`/conversations/${id}/items`)));
  expect(items.data).toHaveLength(2);
});

test("what is stored is not answered from the response cache", async () => {
  const body = { model: `over/${dialects[0]}`, input: "cached?", store: true };
  const ids = [];
  for (let attempt = 0; attempt < 2; attempt += 1) {
    answerWith(server, { text: "ok" });
    const headers = { "x-openrouter-cache": "true" };
    const init = { method: "POST", body: JSON.stringify(body), headers };
    const { id } = await readJson(await ask("/responses", init));
    expect((await ask(`/responses/${id}`)).status).toBe(200);
    ids.push(id);
  }
  expect(new Set(ids).size).toBe(2);
});
