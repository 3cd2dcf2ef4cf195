// A project that stores responses by default: clients that say nothing of `store`, as OpenAI's own agents do, continue what came before.
import { afterEach, expect, test } from "bun:test";
import { at, expectCleanBooks, startTestServer, useServer } from "../harness/index.ts";
import { type Managed, ask as manage, openManaged } from "../management/open-management.fixture.ts";
import { eventually } from "../money/read-requests.ts";
import { storedEnvironment, user, useStored } from "./use-stored.fixture.ts";

const { server } = await useServer(startTestServer({ environment: storedEnvironment }));
afterEach(() => expectCleanBooks(server));

async function openDefault(hours: number | null): Promise<Managed> {
  const account = await openManaged(server);
  await setHours(account, hours);
  return account;
}

async function setHours({ id, managementKey }: Managed, hours: unknown): Promise<unknown> {
  const path = `POST /management/projects/${id}/responses`;
  return (await manage(server, managementKey, path, { hours })).status;
}

const silent = { store: undefined };

test.each([false, true])(
  "stream: %p, responses are stored unless the request refuses it, for as long as the project says",
  async (stream) => {
    const account = await openDefault(48);
    const { ask, say, lastMessages } = useStored(server, account);
    const first = await say("one", { input: "1", stream, ...silent });
    expect(first.store).toBe(true);
    expect((await ask(`/responses/${first.id}`)).status).toBe(200);
    const [row] = await server.owner.sql<{ hours: number }[]>`
    select extract(epoch from expires_at - created_at)::float8 / 3600 as hours
      from objects where account_id = ${account.id} and kind = 'response'`;
    expect(row?.hours).toBeCloseTo(48, 0);
    const second = await say("two", {
      input: "2",
      previous_response_id: first.id,
      stream,
      ...silent,
    });
    expect(at(lastMessages(), "0")).toEqual(user("1"));
    expect(second.store).toBe(true);
    const refused = await say("three", { input: "3", stream, store: false });
    expect(refused.store).toBe(false);
    expect((await ask(`/responses/${refused.id}`)).status).toBe(404);
  },
);

test("switched off, only requests that ask for it are stored", async () => {
  const account = await openDefault(24);
  const { say } = useStored(server, account);
  expect((await say("one", { input: "1", ...silent })).store).toBe(true);
  expect(await setHours(account, null)).toBe(200);
  // Instances hear of it within moments.
  await eventually("the key to be read again", async () => {
    return (await say("two", { input: "2", ...silent })).store === false;
  });
  expect((await say("three", { input: "3" })).store).toBe(true);
});

test("hours beyond 30 days, none and fractions are refused", async () => {
  const account = await openManaged(server);
  for (const hours of [0, 721, 1.5, "24"]) expect(await setHours(account, hours)).toBe(400);
});
