// Refused calls are free, and so are their rows: an account gets a bounded number of them an hour, and is
// answered as before beyond it.
import { afterAll, expect, test } from "bun:test";
import { freeRowLimits } from "../../src/limit-free-calls.ts";
import {
  chatBody,
  expectCleanBooks,
  expectFault,
  openAccount,
  postChat,
  startTestServer,
} from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";

const server = await startTestServer();
afterAll(() => server.close());

const { burst } = freeRowLimits.refused;

async function countRows(accountId: string): Promise<number> {
  const [row] = await server.owner.sql<{ rows: number }[]>`
    select count(*)::int as rows from requests where account_id = ${accountId}`;
  return row?.rows ?? 0;
}

async function countLeftOut(): Promise<number> {
  const { body } = await server.services.metrics.expose();
  return Number(/^turnpike_free_calls_not_logged_total (\d+)/m.exec(body)?.[1]);
}

test("the row of a refused body has the model that was asked for and what was answered", async () => {
  const account = await openAccount(server);
  const model = "test/any\u0000";
  const answer = await postChat(server, account.key, chatBody({}, { model, temperature: 3 }));
  const error = await expectFault(answer, {
    status: 400,
    code: "decimal_above_max_value",
    param: "temperature",
  });
  const row = await eventually("the row of the refusal", async () => {
    const [found] = await server.owner.sql`
      select model, usage_details->'refusal' as refusal from requests
       where account_id = ${account.id}`;
    return found;
  });
  const refusal = { message: error.message, param: "temperature" };
  expect(row).toEqual({ model: "test/any", refusal });
});

test("a flood of refused calls is answered, and stored up to the rate of its account", async () => {
  const account = await openAccount(server);
  const neighbor = await openAccount(server);
  const ask = async ({ key }: { key: string }) => {
    const answer = await postChat(server, key, chatBody({}, { model: "test/unknown" }));
    await expectFault(answer, { status: 404, code: "model_not_found" });
  };
  // A slow machine regains a row every six seconds meanwhile.
  const calls = burst + 100;
  for (let sent = 0; sent < calls; sent += 50) {
    await Promise.all(Array.from({ length: 50 }, () => ask(account)));
  }
  await ask(neighbor);
  await eventually("every call to be stored or counted", async () => {
    return (await countRows(account.id)) + (await countLeftOut()) === calls;
  });
  expect(await countRows(account.id)).toBeLessThan(calls);
  expect(await countRows(account.id)).toBeGreaterThanOrEqual(burst);
  await eventually("the row of the neighbor", async () => (await countRows(neighbor.id)) === 1);
  await expectCleanBooks(server);
});
