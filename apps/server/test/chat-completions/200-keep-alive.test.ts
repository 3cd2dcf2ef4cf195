// A client never waits in silence: comments come before a late first token and between slow ones,
// and contain nothing that a client could mistake for the answer.
import { afterAll, afterEach, expect, test } from "bun:test";
import {
  at,
  chatBody,
  contentOf,
  expectCleanBooks,
  findSchemaProblems,
  openAccount,
  postChat,
  readEvents,
  readMoney,
  startTestServer,
} from "../harness/index.ts";

const server = await startTestServer({ times: { commitStreamMs: 100, keepAliveMs: 100 } });
const account = await openAccount(server);
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

type Script = Parameters<typeof chatBody>[0];
const ask = (script: Script) => postChat(server, account.key, chatBody(script, { stream: true }));

test("a late stream is committed by a comment, before its first token exists", async () => {
  const response = await ask({ tag: "late", deltas: 3, bodyMs: 600_000 });
  expect(response.status).toBe(200);
  const timing = /upstream;dur=([\d.]+)/.exec(response.headers.get("server-timing") ?? "")?.[1];
  expect(Number(timing)).toBeGreaterThan(50);
  const reader = response.body?.getReader();
  const first = await reader?.read();
  // A reader that starts late finds several.
  expect(new TextDecoder().decode(first?.value)).toMatch(/^(?:: keep-alive\n)+$/);
  expect(server.upstream.delivered("late").deltas).toBe(0);
  await reader?.cancel();
});

test("the commit does not wait for the next regular comment", async () => {
  const times = { commitStreamMs: 100, keepAliveMs: 600_000 };
  const quiet = await startTestServer({ times });
  try {
    const body = chatBody({ deltas: 1, bodyMs: 600_000 }, { stream: true });
    const { key } = await openAccount(quiet);
    const response = await postChat(quiet, key, body);
    expect(response.status).toBe(200);
    await response.body?.cancel();
    await expectCleanBooks(quiet);
  } finally {
    await quiet.close();
  }
});

test("after the comments the answer is complete, with [DONE] last", async () => {
  const read = await readEvents(await ask({ deltas: 3, firstByteMs: 2_000 }));
  expect(read.comments.length).toBeGreaterThanOrEqual(2);
  expect(contentOf(read)).toBe(" tok tok tok");
  expect(read.done).toBe(true);
});

test("comments fill the silence between tokens", async () => {
  const read = await readEvents(await ask({ deltas: 2, paceMs: 400 }));
  const lines = read.text.split("\n");
  const tokens = lines.flatMap((line, place) => (line.includes('" tok"') ? [place] : []));
  const [, ...between] = lines.slice((tokens[0] ?? 0) + 1, tokens[1]);
  expect(tokens).toHaveLength(2);
  expect(new Set(between)).toEqual(new Set([": keep-alive"]));
  expect(read.done).toBe(true);
});

test("every comment is the line ': keep-alive' alone, without a blank line that would end an event", async () => {
  const { text, comments } = await readEvents(
    await ask({ deltas: 2, firstByteMs: 250, paceMs: 250 }),
  );
  expect(new Set(comments)).toEqual(new Set(["keep-alive"]));
  expect(text).not.toMatch(/^:.*\n\n/m);
});

test("a refusal after the commit is an error event without [DONE], and costs nothing", async () => {
  const before = await readMoney(server, account.id);
  const script = { firstByteMs: 300, status: 429, error: "Busy.", headers: { "retry-after": "7" } };
  const response = await ask(script);
  expect(response.status).toBe(200);
  const { events, done } = await readEvents(response);
  expect(events).toHaveLength(1);
  expect(findSchemaProblems("ErrorResponse", events[0])).toEqual([]);
  expect(at(events[0], "error.code")).toBe("rate_limit_exceeded");
  expect(done).toBe(false);
  expect(await readMoney(server, account.id)).toEqual(before);
  // The record has the status that the client saw, and why it was not an answer.
  const [row] = await server.owner.sql`
    select status, error_code from requests
     where trace_id = ${response.headers.get("x-request-id")}`;
  expect(row).toEqual({ status: 200, error_code: "upstream_rate_limited" });
});

test("a client that disconnects before the first token ends the upstream call once it is accepted", async () => {
  const response = await ask({ tag: "left", headGate: true, endless: true });
  await response.body?.cancel();
  const request = await server.upstream.waitFor(({ tag }) => tag === "left");
  server.upstream.open("left");
  expect(await request.ended).toBe("gone");
});
