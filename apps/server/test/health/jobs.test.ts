// What the process does on its own goes on beside its callers: neither waits for the other's
// connections.
import { afterAll, expect, test } from "bun:test";
import { chatBody, openAccount, postChat, startTestServer } from "../harness/index.ts";
import { awaitRequest, eventually } from "../money/read-requests.ts";

const server = await startTestServer({
  environment: { HOLD_LIFETIME_MS: "300", REAP_EVERY_MS: "100" },
});
const account = await openAccount(server);
afterAll(() => server.close());

test("holds are reaped while every connection by which keys are read is taken", async () => {
  const controller = new AbortController();
  const name = "outlives its hold";
  const body = chatBody({ tag: name, firstByteMs: 600_000 }, { stream: true });
  const running = postChat(server, account.key, body, {
    headers: { "user-agent": name },
    signal: controller.signal,
  });
  await server.upstream.waitFor(({ tag }) => tag === name);
  const released = Promise.withResolvers<void>();
  const { sql } = server.services.database;
  const taken = Array.from({ length: sql.options.max }, () =>
    sql.begin(async (transaction) => {
      await transaction`select 1`;
      await released.promise;
    }),
  );
  try {
    const row = await eventually("the hold to be reaped", async () => {
      const found = await awaitRequest(server, name);
      return found.state === "expired" && found;
    });
    expect(row.chargedNanos).toBe(0n);
  } finally {
    released.resolve();
    await Promise.all(taken);
    controller.abort();
    await running.catch(() => undefined);
  }
});
