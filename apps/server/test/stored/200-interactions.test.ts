// Stored interactions of Google's API: asked for, they are kept with their new input, read, continued and deleted by id; without that
// nothing is kept. Ids of other projects and accounts are answered as unknown.
import { afterEach, describe, expect, test } from "bun:test";
import { postGemini } from "../gemini/ask-gemini.fixture.ts";
import {
  at,
  catchError,
  expectCleanBooks,
  openAccount,
  readJson,
  readMoney,
  startTestServer,
  testCatalog,
  useServer,
} from "../harness/index.ts";
import { ask as manage, openManaged } from "../management/open-management.fixture.ts";
import { answered, interactionOf, said, useInteractions } from "./use-interactions.fixture.ts";
import { assistant, storedEnvironment, user, useStored } from "./use-stored.fixture.ts";

const { server, account } = await useServer(
  startTestServer({
    environment: storedEnvironment,
    catalog: (baseUrl) =>
      testCatalog(baseUrl).replace(
        "id: scripted,",
        "id: scripted, dataCollection: deny, zdr: true,",
      ),
  }),
);
const { ask, create, say } = useInteractions(server, account);
const responses = useStored(server, account);
const { lastMessages, countRows, openOtherProject } = responses;
afterEach(() => expectCleanBooks(server));
const { sql } = server.owner;

async function expectRefused(answer: Response, status: number, reason: string, field?: string) {
  const { error } = await readJson(answer);
  const name = status === 404 ? "NOT_FOUND" : "INVALID_ARGUMENT";
  expect([answer.status, at(error, "code"), at(error, "status")]).toEqual([status, status, name]);
  expect(at(error, "details.0.reason")).toBe(reason);
  expect(at(error, "details.1.fieldViolations.0.field")).toBe(field);
  return String(at(error, "message"));
}

describe.each([false, true])("stream: %p", (stream) => {
  test("an interaction is stored if it asks for it, and read as it was answered, with its steps", async () => {
    const interaction = await say("Hello Ada.", { input: "I am Ada.", stream });
    expect(interaction).toMatchObject({ store: true, status: "completed", object: "interaction" });
    const steps = [answered("Hello Ada.")];
    // Those of a stream were in its events.
    expect(interaction.steps).toEqual(stream ? undefined : steps);
    for (const base of ["/v1beta", "/v1", "/v1/v1beta"]) {
      const read = await ask(`/${interaction.id}?stream=false`, "GET", account.key, base);
      expect(read.headers.get("content-type")).toBe("application/json");
      expect(await readJson(read)).toEqual({ ...interaction, steps });
    }
    const whole = await readJson(await ask(`/${interaction.id}?include_input=true`));
    expect(whole).toEqual({ ...interaction, steps, input: [said("I am Ada.")] });
  });

  test.each([
    ["says nothing of it", { store: undefined }],
    ["does not want it", { store: false }],
    ["lets no provider retain it", { provider: { zdr: true } }],
    ["denies data collection", { provider: { data_collection: "deny" } }],
  ])("one that %s is not stored, and the answer says so", async (_, fields) => {
    const before = await countRows("response");
    const interaction = await say("Private.", { input: "hi", stream, ...fields });
    expect(interaction.store).toBe(false);
    expect(await countRows("response")).toBe(before);
    await expectRefused(await ask(`/${interaction.id}`), 404, "NOT_FOUND", "id");
  });

  test("an interaction continues all before it, and the system instruction is its own", async () => {
    const first = await say("one", { input: "1", system_instruction: "Count.", stream });
    const input = [{ type: "text", text: "2" }, said("2b")];
    const second = await say("two", { input, previous_interaction_id: first.id, stream });
    const third = await say("three", {
      input: { type: "text", text: "3" },
      previous_interaction_id: second.id,
      stream,
    });
    expect(third.previous_interaction_id).toBe(second.id);
    expect(lastMessages()).toEqual([
      user("1"),
      assistant("one"),
      { role: "user", content: [said("2"), said("2b")].flatMap(({ content }) => content) },
      assistant("two"),
      user("3"),
    ]);
    const read = await readJson(await ask(`/${second.id}?include_input=true`));
    expect(read).toMatchObject({
      input: [said("2"), said("2b")],
      previous_interaction_id: first.id,
      steps: [answered("two")],
    });
  });

  test("an answer that breaks off or fails is not stored, and does not say that it is", async () => {
    const before = await countRows("response");
    server.upstream.script(() => ({ deltas: 5, cutAfterDeltas: 2 }));
    const answer = await create({ input: "hi", store: true, stream });
    if (!stream) expect(answer.status).toBe(502);
    let text = "";
    const reading = async () => {
      for await (const chunk of answer.body ?? []) text += new TextDecoder().decode(chunk);
    };
    if (stream) expect(await catchError(reading())).toBeInstanceOf(Error);
    expect(text).not.toContain('"store":true');
    expect(await countRows("response")).toBe(before);
  });
});

test("what is asked in the next turn answers the calls of the one before it", async () => {
  server.upstream.script(() => ({
    toolCalls: [{ name: "find", arguments: '{"id":12345678901234567890}' }],
  }));
  const tools = [{ type: "function", name: "find", parameters: { type: "object" } }];
  const first = await interactionOf(await create({ input: "Find it.", tools, store: true }));
  expect(first.status).toBe("requires_action");
  const call_id = String(at(first, "steps.0.id"));
  const input = [{ type: "function_result", call_id, name: "find", result: "Found." }];
  const fields = { previous_interaction_id: first.id, tools };
  await say("Here it is.", { ...fields, input });
  const messages = JSON.stringify(lastMessages());
  expect(messages).toContain("Found.");
  expect(messages).toContain("12345678901234567890");
  await expectRefused(
    await create({ ...fields, input: "And?" }),
    400,
    "MALFORMED_REQUEST",
    "input[1]",
  );
});

test("a deleted interaction is gone, and what continued it is not continued without it", async () => {
  const first = await say("one", { input: "1" });
  const second = await say("two", { input: "2", previous_interaction_id: first.id });
  const deleted = await ask(`/${first.id}`, "DELETE");
  expect([deleted.status, await readJson(deleted)]).toEqual([200, {}]);
  await expectRefused(await ask(`/${first.id}`), 404, "NOT_FOUND", "id");
  await expectRefused(await ask(`/${first.id}`, "DELETE"), 404, "NOT_FOUND", "id");
  expect((await ask(`/${second.id}`)).status).toBe(200);
  const requests = server.upstream.requests.length;
  const before = await readMoney(server, account.id);
  const refused = await create({ input: "3", previous_interaction_id: second.id });
  const param = "previous_interaction_id";
  expect(await expectRefused(refused, 404, "NOT_FOUND", param)).toContain("was deleted");
  expect(server.upstream.requests).toHaveLength(requests);
  expect(await readMoney(server, account.id)).toEqual(before);
});

test("what cannot be done with a stored interaction is a 400 that says why", async () => {
  const { id } = await say("one", { input: "1" });
  const cancelled = await ask(`/${id}/cancel`, "POST");
  expect(await expectRefused(cancelled, 400, "MALFORMED_REQUEST")).toContain(
    "this one is complete",
  );
  await expectRefused(await ask(`/${id}?stream=true`), 400, "UNSUPPORTED_PARAMETER", "stream");
  const fields = { input: "2", previous_interaction_id: id };
  const background = await create({ ...fields, background: true });
  await expectRefused(background, 400, "UNSUPPORTED_PARAMETER", "background");
  const wrong = await create({ input: "2", previous_interaction_id: 5 });
  await expectRefused(wrong, 400, "INVALID_TYPE", "previous_interaction_id");
  const missing = await create({ previous_interaction_id: id });
  await expectRefused(missing, 400, "MISSING_REQUIRED_PARAMETER", "input");
  for (const input of ["", []]) {
    expect((await create({ input, previous_interaction_id: id })).status).toBe(400);
  }
});

test("keys of another account and of another project get what an id that never existed gets", async () => {
  const { id } = await say("a secret", { input: "hi" });
  const response = await responses.say("a response", { input: "hi" });
  const digits = id.slice("gen-".length);
  const ofResponse = `gen-${String(response.id).slice("resp_".length)}`;
  const names = [id, ofResponse, `gen-${"0".repeat(32)}`, "gen-1", "v1_abc", digits];
  const eve = await openAccount(server);
  const texts = new Set<string>();
  for (const key of [eve.key, await openOtherProject(account), account.key]) {
    // To its owner it is known; a response is no interaction.
    for (const name of key === account.key ? names.slice(1) : names) {
      for (const [path, method] of [
        ["", "GET"],
        ["", "DELETE"],
        ["/cancel", "POST"],
      ] as const) {
        const answer = await ask(`/${name}${path}`, method, key);
        texts.add(await expectRefused(answer, 404, "NOT_FOUND", "id"));
      }
      const refused = await create({ input: "hi", previous_interaction_id: name }, key);
      texts.add(await expectRefused(refused, 404, "NOT_FOUND", "previous_interaction_id"));
    }
  }
  expect(texts.size).toBe(2);
  expect((await ask(`/${id}`)).status).toBe(200);
  // An interaction is no response, and no file.
  expect((await responses.ask(`/responses/resp_${digits}`)).status).toBe(404);
  expect((await responses.ask(`/responses/resp_${digits}`, { method: "DELETE" })).status).toBe(404);
  const asResponse = { input: "hi", previous_response_id: `resp_${digits}` };
  expect((await responses.create(asResponse)).status).toBe(400);
  expect((await responses.ask(`/files/file-${digits}`)).status).toBe(404);
  expect((await ask(`/${id}`)).status).toBe(200);
});

test("an estimate is that of the whole conversation", async () => {
  const text = "long ".repeat(500);
  const first = await say("one", { input: text });
  const price = async (fields: object) =>
    Number(
      at(
        await readJson(await responses.post("/estimate", { model: "test/cheap", ...fields })),
        "prompt_tokens",
      ),
    );
  const continued = await price({ input: "and?", previous_interaction_id: first.id });
  const whole = await price({ input: [said(text), answered("one"), said("and?")] });
  expect(continued).toBe(whole);
  expect(continued).toBeGreaterThan(500);
});

test("what an interaction continues is kept for as long as itself, in the room of responses", async () => {
  const first = await say("one", { input: "1" });
  const uuid = first.id.slice("gen-".length);
  await sql`update objects set expires_at = now() + interval '1 minute' where id = ${uuid}::uuid`;
  await say("two", { input: "2", previous_interaction_id: first.id });
  const [row] = await sql<{ hours: number; kind: string }[]>`
    select extract(epoch from expires_at - now())::float8 / 3600 as hours, kind
      from objects where id = ${uuid}::uuid`;
  expect([row?.kind, Math.round(row?.hours ?? 0)]).toEqual(["response", 24]);
  await sql`update objects set expires_at = now() where id = ${uuid}::uuid`;
  await expectRefused(await ask(`/${first.id}`), 404, "NOT_FOUND", "id");
});

test.each([false, true])(
  "stream: %p, an account that is full is answered all the same, and the interaction says that it is not stored",
  async (stream) => {
    const ada = await openAccount(server);
    await sql`insert into objects (account_id, id, project_id, key_id, kind, state, size, expires_at)
      select ${ada.id}, gen_random_uuid(), ${ada.id}, gen_random_uuid(), 'response', 'writing', 1,
             now() + interval '1 hour'
        from generate_series(1, 10000)`;
    const interaction = await say("not stored", { input: "hi", stream }, ada.key);
    expect([interaction.store, interaction.status]).toEqual([false, "completed"]);
    expect(interaction.steps).toEqual(stream ? undefined : [answered("not stored")]);
  },
);

test("a project that stores by default stores what does not refuse it", async () => {
  const managed = await openManaged(server);
  const path = `POST /management/projects/${managed.id}/responses`;
  expect((await manage(server, managed.managementKey, path, { hours: 48 })).status).toBe(200);
  const kept = await say("one", { input: "1", store: undefined }, managed.key);
  expect(kept.store).toBe(true);
  const fields = { input: "2", previous_interaction_id: kept.id };
  expect((await say("two", { ...fields, store: undefined }, managed.key)).store).toBe(true);
  expect((await say("three", { ...fields, store: false }, managed.key)).store).toBe(false);
});

test("a repetition under an Idempotency-Key gets the first answer, and what is stored is not taken from the response cache", async () => {
  const post = postGemini(server, account);
  const body = { model: "test/cheap", input: "again", store: true };
  const headers = { "x-goog-api-key": account.key };
  const ids = async (added: Readonly<Record<string, string>>) => {
    const both = [];
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const answer = await post("/v1beta/interactions", body, { ...headers, ...added });
      const { id } = await interactionOf(answer);
      expect((await ask(`/${id}`)).status).toBe(200);
      both.push(id);
    }
    return new Set(both).size;
  };
  expect(await ids({ "idempotency-key": "interaction" })).toBe(1);
  expect(await ids({ "x-openrouter-cache": "true" })).toBe(2);
});
