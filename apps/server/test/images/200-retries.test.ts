// A retry of an image that still runs, or has just been made, joins it: one call of the upstream, one charge. Nothing else does.
import { afterAll, afterEach, expect, test } from "bun:test";
import {
  expectCleanBooks,
  openAccount,
  postJson,
  readMoney,
  startTestServer,
  testModels,
  waitForSettled,
} from "../harness/index.ts";

const server = await startTestServer();
afterAll(() => server.close());
afterEach(() => expectCleanBooks(server));

const price = 40_000_000n;

function draw(key: string, tag: string, attempt?: number, init: RequestInit = {}) {
  const prompt = `a lighthouse #script ${JSON.stringify({ tag, gate: true })}`;
  const body = { model: testModels.imagePiece, prompt, size: "1024x1024" };
  const headers = attempt === undefined ? {} : { "x-stainless-retry-count": String(attempt) };
  return postJson(server, key, "/images/generations", body, { ...init, headers });
}

const callsOf = (tag: string) => server.upstream.requests.filter((one) => one.tag === tag).length;
const spent = async (id: Parameters<typeof readMoney>[1]) =>
  10_000_000_000n - (await readMoney(server, id)).balanceNanos;

test("a retry after the client gave up gets the image of the first attempt", async () => {
  const account = await openAccount(server);
  const leaving = new AbortController();
  const first = draw(account.key, "joined", 0, { signal: leaving.signal });
  await server.upstream.waitFor((request) => request.tag === "joined");
  leaving.abort();
  await first.catch(() => undefined);
  const retried = draw(account.key, "joined", 1);
  server.upstream.open("joined");
  const response = await retried;
  expect(response.status).toBe(200);
  expect(response.headers.get("idempotent-replayed")).toBe("true");
  await waitForSettled(server);
  expect([callsOf("joined"), await spent(account.id)]).toEqual([1, price]);
});

test.each([
  ["three equal calls of a program without retries", undefined],
  ["three equal first attempts", 0],
])("%s are three images", async (what, attempt) => {
  const account = await openAccount(server);
  const tag = what.replaceAll(" ", "-");
  const calls = [1, 2, 3].map(() => draw(account.key, tag, attempt));
  for (const count of [1, 2, 3]) {
    await server.upstream.waitFor((request) => request.tag === tag && callsOf(tag) >= count);
  }
  server.upstream.open(tag);
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  expect(statuses).toEqual([200, 200, 200]);
  await waitForSettled(server);
  expect([callsOf(tag), await spent(account.id)]).toEqual([3, 3n * price]);
});

test("a retry of another caller, or of another request, joins nothing", async () => {
  const [one, other] = [await openAccount(server), await openAccount(server)];
  server.upstream.open("own");
  await (await draw(one.key, "own", 0)).text();
  const ofOther = await draw(other.key, "own", 1);
  expect(ofOther.headers.get("idempotent-replayed")).toBeNull();
  expect(callsOf("own")).toBe(2);
});
