// Closing a server always ends. It leaves open what servers of one test share: that is closed by its opener, so
// that no other server waits for a database that has been dropped.
import { afterAll, expect, test } from "bun:test";
import { chatBody, openAccount, openTestSite, postChat, startTestServer } from "./index.ts";

const site = await openTestSite();
afterAll(() => site.close());

test("a server that was given a site leaves it open for the others", async () => {
  const server = await startTestServer({ site });
  const other = await startTestServer({ site: server });
  await other.close();
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  await server.close();
  expect(await site.owner.sql`select 1 as one`).toMatchObject([{ one: 1 }]);
  expect((await fetch(`${site.upstream.baseUrl}/models`)).status).toBe(200);
});

test("calls that still run end with their server, also those that continue without their client", async () => {
  const server = await startTestServer({ site });
  const { key } = await openAccount(site);
  const body = chatBody({ tag: "never opened", gate: true });
  const asked = postChat(server, key, body, { headers: { "idempotency-key": "once" } });
  const sent = await site.upstream.waitFor(({ tag }) => tag === "never opened");
  await Promise.all([server.close(), asked.catch(() => undefined)]);
  expect(await sent.ended).toBe("gone");
});
