// Responses in the background: their caller gets an id at once, and reads, resumes or cancels them on any connection afterwards.
import { afterEach, describe, expect, test } from "bun:test";
import {
  answerWith,
  asObject,
  expectCleanBooks,
  expectFault,
  findSchemaProblems,
  openAccount,
  readCharges,
  readJson,
  startTestServer,
  useServer,
} from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";
import { parseNamedEvents, postResponse, responseBody } from "../responses/post-responses.ts";
import { useStored } from "../stored/use-stored.fixture.ts";
import { baseUrlOf, runsEnvironment, useRuns } from "./use-runs.fixture.ts";

const { server, account } = await useServer(startTestServer({ environment: runsEnvironment }));
const { ask, create, retrieve, cancel, awaitEnded, readStream, countRows } = useRuns(
  server,
  baseUrlOf(server),
);
const { key } = account;
afterEach(() => expectCleanBooks(server));

test("a response is queued at once, is read while it runs, and is stored when it ends", async () => {
  const script = { tag: "polled", gate: true, text: "It is clear." };
  const queued = await create(script, key);
  expect(queued).toMatchObject({ status: "queued", background: true, store: true, output: [] });
  expect(findSchemaProblems("Response", queued)).toEqual([]);
  await eventually("it to run", async () => {
    return (await retrieve(queued.id, key)).status === "in_progress";
  });
  server.upstream.open("polled");
  const ended = await awaitEnded(queued.id, key);
  expect(ended).toMatchObject({
    id: queued.id,
    status: "completed",
    background: true,
    store: true,
  });
  expect(findSchemaProblems("Response", ended)).toEqual([]);
  expect(JSON.stringify(ended.output)).toContain("It is clear.");
  expect(ended.usage).toMatchObject({ cost: expect.any(Number) });
});

describe("its events", () => {
  test("are the same from every number on, while it runs and afterwards", async () => {
    const script = { tag: "streamed", gate: true, deltas: 20 };
    const body = responseBody(script, { background: true, stream: true });
    const answer = await postResponse(server, key, { body });
    expect(answer.headers.get("content-type")).toStartWith("text/event-stream");
    const reader = answer.body?.getReader();
    const first = new TextDecoder().decode((await reader?.read())?.value);
    const [created] = parseNamedEvents(`${first.split("\n\n")[0]}\n\n`);
    expect(created).toMatchObject({ type: "response.created", sequence_number: 0 });
    const { id } = asObject(created?.response);
    // The one who started it leaves; others read on.
    await reader?.cancel();
    const running = readStream(id, key);
    const later = readStream(id, key, 5);
    server.upstream.open("streamed");
    const all = await running;
    const events = parseNamedEvents(all);
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, i) => i));
    expect(events.at(-1)).toMatchObject({ type: "response.completed" });
    expect(all).toStartWith(first);
    const frames = all.split(/(?<=\n\n)/);
    expect(await later).toBe(frames.slice(6).join(""));
    for (let after = 0; after < frames.length; after += 1) {
      expect(await readStream(id, key, after)).toBe(frames.slice(after + 1).join(""));
    }
    expect(await readStream(id, key, frames.length + 100)).toBe("");
    const read = await (await ask(`/generation/${id}/stream`, key)).text();
    expect(read).toBe(all);
    expect(asObject(events.at(-1)).response).toEqual(await retrieve(id, key));
  });

  test("reach the client that started it from the first on", async () => {
    const body = responseBody({ text: "One two." }, { background: true, stream: true });
    const text = await (await postResponse(server, key, { body })).text();
    const events = parseNamedEvents(text);
    expect(events[0]).toMatchObject({ type: "response.created" });
    expect(events.at(-1)).toMatchObject({ type: "response.completed" });
    expect(await readStream(asObject(events[0]?.response).id, key)).toBe(text);
  });

  test("cannot be read of a response that its client waited for, nor behind what is no number", async () => {
    answerWith(server, { text: "Waited." });
    const body = responseBody({}, { store: true });
    const { id } = asObject(await readJson(await postResponse(server, key, { body })));
    await expectFault(await ask(`/responses/${id}?stream=true`, key), {
      status: 400,
      code: "unsupported_parameter",
      param: "stream",
    });
    const run = await create({ text: "Ran." }, key);
    await awaitEnded(run.id, key);
    const path = `/responses/${run.id}?stream=true&starting_after=first`;
    await expectFault(await ask(path, key), {
      status: 400,
      code: "invalid_value",
      param: "starting_after",
    });
  });
});

test("a response that ran can be continued, and costs once however often it is read", async () => {
  const own = await openAccount(server);
  const first = await create({ text: "one" }, own.key);
  await awaitEnded(first.id, own.key);
  for (let reads = 0; reads < 3; reads += 1) await readStream(first.id, own.key);
  expect(await readCharges(server, own)).toHaveLength(1);
  const second = await create({ text: "two" }, own.key, { previous_response_id: first.id });
  const ended = await awaitEnded(second.id, own.key);
  expect(ended).toMatchObject({ status: "completed", previous_response_id: first.id });
  expect(await readCharges(server, own)).toHaveLength(2);
});

test("a cancelled response stops, what it wrote is billed, and cancelling again changes nothing", async () => {
  const own = await openAccount(server);
  const { id } = await create({ tag: "cancelled", endless: true, paceMs: 5 }, own.key);
  await eventually("it to write", async () => (await countRows(own)).events > 1);
  expect(await cancel(id, own.key)).toMatchObject({ id, status: "cancelled" });
  expect(await cancel(id, own.key)).toMatchObject({ id, status: "cancelled" });
  expect(await retrieve(id, own.key)).toMatchObject({ status: "cancelled", background: true });
  const events = parseNamedEvents(await readStream(id, own.key));
  expect(events.length).toBeGreaterThan(2);
  await eventually("the bill", async () => (await readCharges(server, own)).length === 1);
  const done = await create({ text: "Done." }, own.key);
  await awaitEnded(done.id, own.key);
  expect(await cancel(done.id, own.key)).toMatchObject({ id: done.id, status: "completed" });
});

test("a response whose provider fails has failed, ends its events so, and costs nothing", async () => {
  const own = await openAccount(server);
  const { id } = await create({ status: 400, error: "no such thing" }, own.key);
  expect(await awaitEnded(id, own.key)).toMatchObject({
    status: "failed",
    store: false,
    background: true,
    error: { code: "server_error" },
  });
  const events = parseNamedEvents(await readStream(id, own.key));
  expect(events[0]).toMatchObject({ type: "response.created", sequence_number: 0 });
  expect(events.at(-1)).toMatchObject({ type: "response.failed" });
  expect((await readCharges(server, own)).filter((nanos) => nanos > 0n)).toEqual([]);
});

test("a response that breaks off half way has failed, with what it wrote in its events", async () => {
  const { id } = await create({ deltas: 10, cutAfterDeltas: 5 }, key);
  expect(await awaitEnded(id, key)).toMatchObject({ status: "failed", store: false });
  expect(parseNamedEvents(await readStream(id, key)).at(-1)).toMatchObject({
    type: "response.failed",
  });
});

test("what refuses a call refuses it at once, and nothing of it is left", async () => {
  const poor = await openAccount(server, { usd: "0" });
  const before = await countRows(account);
  const refuse = async (
    fields: object,
    fault: Parameters<typeof expectFault>[1],
    payer = account,
  ) => {
    const body = responseBody({}, { background: true, ...fields });
    await expectFault(await postResponse(server, payer.key, { body }), fault);
  };
  await refuse({}, { status: 402, type: "insufficient_quota", code: "insufficient_quota" }, poor);
  const value = { status: 400, code: null, param: "background" };
  await refuse({ store: false }, value);
  await refuse({ provider: { zdr: true } }, { ...value, code: "invalid_value" });
  await refuse({ background: "yes" }, { ...value, code: "invalid_type" });
  await refuse({ model: "test/unknown" }, { status: 404, code: "model_not_found" });
  await refuse(
    { previous_response_id: "resp_none" },
    { status: 400, code: "previous_response_not_found", param: "previous_response_id" },
  );
  expect(await countRows(account)).toEqual(before);
  expect(await countRows(poor)).toEqual({ runs: 0, events: 0 });
});

test("the endpoints of its account are told once when a response is over, however it ended", async () => {
  const own = await openAccount(server);
  const { sql } = server.owner;
  // Nothing is sent there: it is no public address.
  await sql`insert into webhook_endpoints (account_id, id, url, secret)
    values (${own.id}, gen_random_uuid(), 'https://127.0.0.1:9/', '\\x00')`;
  const good = await create({ text: "Good." }, own.key);
  await awaitEnded(good.id, own.key);
  const bad = await create({ status: 400, error: "bad" }, own.key);
  await awaitEnded(bad.id, own.key);
  const events = await eventually("both to be told", async () => {
    const rows = await sql<{ body: string }[]>`
      select body from webhook_events where account_id = ${own.id} order by id`;
    return rows.length >= 2 && rows.map(({ body }) => JSON.parse(body));
  });
  expect(events).toMatchObject([
    { type: "response.completed", data: { response: { id: good.id, status: "completed" } } },
    { type: "response.completed", data: { response: { id: bad.id, status: "failed" } } },
  ]);
  expect(JSON.stringify(events)).not.toContain("Good.");
});

test("a retry under an Idempotency-Key gets the same response, which runs once", async () => {
  const own = await openAccount(server);
  const body = responseBody({ text: "Once." }, { background: true });
  const send = async () => {
    const headers = { "idempotency-key": "once-in-the-background" };
    return asObject(await readJson(await postResponse(server, own.key, { body, headers })));
  };
  const first = await send();
  expect(await send()).toEqual(first);
  await awaitEnded(first.id, own.key);
  expect(await countRows(own)).toMatchObject({ runs: 1 });
});

test("a response is deleted with its events once it has ended, and other projects and accounts never see it", async () => {
  const own = await openAccount(server);
  const { id } = await create({ tag: "deleted", gate: true }, own.key);
  const remove = () => ask(`/responses/${id}`, own.key, { method: "DELETE" });
  await expectFault(await remove(), { status: 400, code: null });
  const otherProject = await useStored(server, own).openOtherProject(own);
  for (const foreignKey of [account.key, otherProject]) {
    for (const path of [
      `/responses/${id}`,
      `/responses/${id}?stream=true`,
      `/generation/${id}/stream`,
    ]) {
      await expectFault(await ask(path, foreignKey), {
        status: 404,
        code: "not_found",
        param: "id",
      });
    }
    const cancelling = ask(`/responses/${id}/cancel`, foreignKey, { method: "POST" });
    await expectFault(await cancelling, { status: 404, code: "not_found", param: "id" });
  }
  server.upstream.open("deleted");
  await awaitEnded(id, own.key);
  expect(await readJson(await remove())).toMatchObject({ id, deleted: true });
  expect(await countRows(own)).toEqual({ runs: 0, events: 0 });
  await expectFault(await ask(`/responses/${id}`, own.key), {
    status: 404,
    code: "not_found",
    param: "id",
  });
});
