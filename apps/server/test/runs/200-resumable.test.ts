// Streams with `x-turnpike-resumable: true`: the call goes on without its client, and its events are read again from any number on.
import { afterEach, describe, expect, test } from "bun:test";
import {
  chatBody,
  expectCleanBooks,
  expectFault,
  openAccount,
  postChat,
  readCharges,
  scriptText,
  startTestServer,
  testModels,
  useServer,
} from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";
import { useStored } from "../stored/use-stored.fixture.ts";
import { baseUrlOf, runsEnvironment, useRuns } from "./use-runs.fixture.ts";

const { server, account } = await useServer(startTestServer({ environment: runsEnvironment }));
const { ask, countRows } = useRuns(server, baseUrlOf(server));
afterEach(() => expectCleanBooks(server));

const resumable = { "x-turnpike-resumable": "true" };

const apis = {
  "/chat/completions": (script: object) => chatBody(script, { stream: true }),
  "/messages": (script: object) => ({
    model: testModels.cheap,
    max_tokens: 1_000,
    stream: true,
    messages: [{ role: "user", content: scriptText(script) }],
  }),
  "/completions": (script: object) => ({
    model: testModels.cheap,
    stream: true,
    prompt: scriptText(script),
  }),
};

const post = (path: string, body: object, key: string, headers: Record<string, string>) =>
  ask(path, key, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

describe.each(Object.entries(apis))("%s", (path, bodyOf) => {
  test("a stream whose client leaves goes on, and is the same from every event on", async () => {
    const own = await openAccount(server);
    const tag = `left ${path}`;
    const leave = new AbortController();
    const answer = await fetch(server.baseUrl + path, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${own.key}`,
        ...resumable,
      },
      body: JSON.stringify(bodyOf({ tag, gate: true, deltas: 12 })),
      signal: leave.signal,
    });
    const id = answer.headers.get("x-generation-id");
    const reader = answer.body?.getReader();
    const first = new TextDecoder().decode((await reader?.read())?.value);
    leave.abort();
    await reader?.read().catch(() => undefined);
    server.upstream.open(tag);
    const all = await (await ask(`/generation/${id}/stream`, own.key)).text();
    expect(all).toStartWith(first.replaceAll(": keep-alive\n", ""));
    const frames = all.split(/(?<=\n\n)/);
    expect(frames.map((frame) => /^id: (\d+)\n/.exec(frame)?.[1])).toEqual(
      frames.map((_, number) => String(number)),
    );
    for (let after = 0; after < frames.length; after += 3) {
      const rest = frames.slice(after + 1).join("");
      const behind = await ask(`/generation/${id}/stream?starting_after=${after}`, own.key);
      expect(await behind.text()).toBe(rest);
      // As a browser's EventSource asks.
      const headers = { "last-event-id": String(after) };
      expect(await (await ask(`/generation/${id}/stream`, own.key, { headers })).text()).toBe(rest);
    }
    const charges = await readCharges(server, own);
    expect([charges.length, charges.every((nanos) => nanos > 0n)]).toEqual([1, true]);
  });

  test("a stream that fails half way ends with its error, however often it is read", async () => {
    const script = { deltas: 10, cutAfterDeltas: 5 };
    const answer = await post(path, bodyOf(script), account.key, resumable);
    const id = answer.headers.get("x-generation-id");
    const text = await answer.text();
    expect(text).toContain("error");
    expect(await (await ask(`/generation/${id}/stream`, account.key)).text()).toBe(text);
  });
});

test("a stream that writes more than is stored breaks off for every reader, and is billed", async () => {
  const own = await openAccount(server);
  const body = chatBody({ deltas: 80, padBytes: 1_000_000 }, { stream: true });
  const answer = await post("/chat/completions", body, own.key, resumable);
  const path = `/generation/${answer.headers.get("x-generation-id")}/stream`;
  const readAll = (stream: Response) =>
    stream.arrayBuffer().then(
      () => "ended",
      () => "broke off",
    );
  expect(await readAll(answer)).toBe("broke off");
  expect(await readAll(await ask(path, own.key))).toBe("broke off");
  await eventually("the bill", async () => (await readCharges(server, own)).length === 1);
});

test("without the header nothing is stored", async () => {
  const before = await countRows(account);
  const answer = await postChat(server, account.key, chatBody({}, { stream: true }));
  await answer.text();
  expect(await countRows(account)).toEqual(before);
  const path = `/generation/${answer.headers.get("x-generation-id")}/stream`;
  await expectFault(await ask(path, account.key), { status: 404, code: "not_found", param: "id" });
});

test("keys of other projects and accounts cannot read a stream", async () => {
  const own = await openAccount(server);
  const answer = await post("/chat/completions", apis["/chat/completions"]({}), own.key, resumable);
  await answer.text();
  const path = `/generation/${answer.headers.get("x-generation-id")}/stream`;
  const otherProject = await useStored(server, own).openOtherProject(own);
  for (const foreignKey of [account.key, otherProject]) {
    await expectFault(await ask(path, foreignKey), { status: 404, code: "not_found", param: "id" });
  }
});

test.each([
  ["a whole answer", "/chat/completions", chatBody({}), resumable],
  [
    "a call that nothing may be kept of",
    "/chat/completions",
    chatBody({}, { stream: true, provider: { zdr: true } }),
    resumable,
  ],
  [
    "another word",
    "/chat/completions",
    chatBody({}, { stream: true }),
    { "x-turnpike-resumable": "yes" },
  ],
  ["another operation", "/embeddings", { model: testModels.embeddings, input: "a" }, resumable],
])("%s is refused, with what to send", async (_, path, body, headers) => {
  const before = await countRows(account);
  await expectFault(await post(path, body, account.key, headers), {
    status: 400,
    code: "invalid_value",
  });
  expect(await countRows(account)).toEqual(before);
});

test("a stream expires with its events", async () => {
  const own = await openAccount(server);
  const answer = await post("/chat/completions", apis["/chat/completions"]({}), own.key, resumable);
  await answer.text();
  const id = answer.headers.get("x-generation-id");
  const { sql } = server.owner;
  await sql`update runs set expires_at = now() where account_id = ${own.id}`;
  await expectFault(await ask(`/generation/${id}/stream`, own.key), {
    status: 404,
    code: "not_found",
    param: "id",
  });
  await sql`update job_runs set finished_at = null, instance_id = null where name = 'purge runs'`;
  await eventually("its rows to go", async () => {
    const { runs, events } = await countRows(own);
    return runs + events === 0;
  });
});
