// What operators see of the batches that run, and how they stop one: on record in the account's own audit log.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { formatBatchId, newId, parseBatchId } from "@turnpike/base";
import { addOperator } from "./add-operator.fixture.ts";
import { callProcedure, type Member, openTestApi, type TestApi } from "./open-test-api.fixture.ts";

let api: TestApi;
let customer: Member;
let support: Member;

const reason = "ticket 12: it spends too fast";

beforeAll(async () => {
  api = await openTestApi();
  customer = await api.addMember();
  support = await addOperator(api, "support");
});
afterAll(() => api.close());

/** The answer, or the fault. */
async function ask(who: Member, name: string, input: Record<string, unknown>) {
  const outcome = await callProcedure(name, await api.contextOf(who), input);
  return outcome.ok ? Object(outcome.value) : outcome.fault;
}

const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
const stop = (given: Record<string, unknown>) =>
  ask(support, "operator.batch.cancel", { reason, ...given });

/** The customer's batch, with a line in each state that there is, paused. */
async function runBatch(): Promise<string> {
  const { accountId: account, ownedIds } = customer;
  const id = parseBatchId(ownedIds.batchId);
  if (id === undefined) throw new Error("no id of a batch");
  await api.owner.sql`
    update batches set state = 'in_progress', started_at = now(), total = 6,
           paused_by = 'insufficient_funds', paused_until = now() + interval '1 minute'
     where account_id = ${account} and id = ${id}`;
  await api.owner.sql`
    insert into batch_lines (account_id, batch_id, line, state, sealed_request, due_at, claimed_until)
    values (${account}, ${id}, 1, 'completed', '\\x00', now() - interval '1 day', null),
           (${account}, ${id}, 2, 'failed', '\\x00', now() - interval '1 day', null),
           (${account}, ${id}, 3, 'expired', '\\x00', now() - interval '1 day', null),
           (${account}, ${id}, 4, 'waiting', '\\x00', now() + interval '1 hour', now() + interval '1 hour'),
           (${account}, ${id}, 5, 'waiting', '\\x00', now() - interval '2 hours', null),
           (${account}, ${id}, 6, 'waiting', '\\x00', now() - interval '1 hour', null)`;
  return id;
}

test("batches that run are listed by account, with their lines, the oldest that waits, and what pauses them", async () => {
  await runBatch();
  const { accountId, ownedIds } = customer;
  const { rows, accounts, ...sums } = await ask(support, "operator.batch.queue", {
    account: accountId,
  });
  const lines = { waiting: 3, running: 1, oldestAt: iso };
  expect(sums).toEqual({ batches: 1, ...lines });
  expect(accounts).toEqual([{ accountId, account: expect.any(String), batches: 1, ...lines }]);
  expect(rows).toEqual([
    {
      accountId,
      account: expect.any(String),
      id: ownedIds.batchId,
      form: "openai",
      endpoint: "/v1/chat/completions",
      state: "in_progress",
      total: 6,
      ...lines,
      completed: 1,
      failed: 2,
      pausedBy: "insufficient_funds",
      pausedUntil: iso,
      createdAt: iso,
      expiresAt: iso,
      attempts: 0,
      error: null,
    },
  ]);
  const hours = (Date.now() - Date.parse(rows[0].oldestAt)) / 3_600_000;
  expect(Math.round(hours)).toBe(2);
  // Those of everyone: each member of these tests has one.
  const all = await ask(support, "operator.batch.queue", {});
  expect(all.batches).toBe(2);
  expect(all.accounts[0]).toMatchObject({ accountId, waiting: 3 });
  expect(all.accounts[1]).toMatchObject({ batches: 1, waiting: 0, oldestAt: null });
});

test("one is stopped once, on record in the account's own audit log", async () => {
  const { accountId: account, ownedIds } = customer;
  const { batchId: id } = ownedIds;
  expect(await stop({ account: support.accountId, id })).toBe("not_found");
  expect(await stop({ account, id: formatBatchId(newId()) })).toBe("not_found");
  expect(await stop({ account, id })).toEqual({ accountId: account, id, state: "cancelling" });
  expect(await stop({ account, id })).toBe("not_found");
  const { rows } = await ask(support, "operator.batch.queue", { account });
  expect(rows).toMatchObject([{ id, state: "cancelling" }]);
  const [line, other] = (await ask(customer, "audit.list", {})).rows;
  expect(line).toMatchObject({
    action: "batch.cancel",
    actorKind: "operator",
    objectName: id,
    changes: { reason: [null, reason] },
  });
  expect(other?.action).not.toBe("batch.cancel");
});
