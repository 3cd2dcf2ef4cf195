// A client that disconnects while its money is being held: the upstream is never called, and what was
// held is released.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import {
  chatBody,
  expectCleanBooks,
  expectFault,
  openAccount,
  postChat,
  readMoney,
  startTestServer,
  type TestServer,
} from "../harness/index.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

/** Resolves when a statement of the server waits for a lock of another. */
async function awaitLockWait(): Promise<void> {
  for (;;) {
    const [row] = await server.owner.sql<{ waiting: number }[]>`
      select count(*)::int as waiting from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`;
    if ((row?.waiting ?? 0) > 0) return;
    await Bun.sleep(10);
  }
}

test.each([true, false])(
  "FC1: a call whose client disconnected during its hold is not made, stream: %p",
  async (stream) => {
    const account = await openAccount(server);
    // Known to the API-key cache, so that only the hold waits.
    await (await postChat(server, account.key, chatBody({ deltas: 1 }))).text();
    const before = await readMoney(server, account.id);
    const tag = `left-early-${stream}`;
    const leaving = new AbortController();
    let asked: Promise<unknown> | undefined;
    await server.owner.sql.begin(async (sql) => {
      await sql`select 1 from accounts where id = ${account.id} for update`;
      const body = chatBody({ tag, deltas: 1 }, { stream });
      asked = postChat(server, account.key, body, { signal: leaving.signal }).catch(() => "left");
      await awaitLockWait();
      leaving.abort();
      expect(await asked).toBe("left");
      // A later request is answered after the server has noticed the abort.
      for (let n = 0; n < 3; n += 1) await (await fetch(`${server.url}/livez`)).text();
    });
    for (;;) {
      const [row] = await server.owner.sql`
      select status, outcome, charged_nanos::int as charged from requests
       where account_id = ${account.id} and state <> 'open' and status <> 200`;
      if (row === undefined) {
        await Bun.sleep(10);
        continue;
      }
      expect(row).toEqual({ status: 499, outcome: "client_closed", charged: 0 });
      break;
    }
    expect(server.upstream.requests.some((request) => request.tag === tag)).toBe(false);
    // The row is written before the lease that was granted for it is returned.
    while ((await readMoney(server, account.id)).heldNanos > 0n) await Bun.sleep(10);
    expect(await readMoney(server, account.id)).toEqual(before);
  },
);

test("an overloaded process refuses before it authenticates the caller", async () => {
  const { load } = server.services.gateway;
  const { reasonToShed } = load;
  Object.assign(load, { reasonToShed: () => "eventLoop" });
  try {
    const refused = await postChat(server, undefined, chatBody({}));
    await expectFault(refused, { status: 503, type: "server_error", code: "overloaded" });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  } finally {
    Object.assign(load, { reasonToShed });
  }
});
