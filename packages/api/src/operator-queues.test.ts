// What operators see of the queues of mails, events of Stripe and webhooks, and do with them: each change is on record.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { newId } from "@turnpike/base";
import { addOperator } from "./add-operator.fixture.ts";
import { callProcedure, type Member, openTestApi, type TestApi } from "./open-test-api.fixture.ts";

let api: TestApi;
let customer: Member;
let support: Member;

const reason = "ticket 9: it never arrived";

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

const act = (verb: string, input: Record<string, unknown>) =>
  ask(support, `operator.${verb}`, { reason, ...input });

async function operatorLog(action: string) {
  const rows = await api.sql`select object, reason from operator_log where action = ${action}`;
  return rows.map((row) => ({ ...row }));
}

const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);

test("mails: what failed is listed, sent now, and discarded, in the operators' log", async () => {
  const ids = [newId(), newId()];
  for (const id of ids) {
    await api.owner.sql`
      insert into outbox (id, recipient, message, attempts, last_error, send_after)
      values (${id}, 'ada@example.com', '{"kind":"verify_email"}', 1, '451 later',
              now() + interval '1 hour')`;
  }
  const [retried, discarded] = ids;
  const row = {
    recipient: "ada@example.com",
    kind: "verify_email",
    createdAt: iso,
    attempts: 1,
    nextAttemptAt: iso,
    failedAt: null,
    error: "451 later",
  };
  const { rows, ...counts } = await ask(support, "operator.mail.queue", {});
  expect(counts).toEqual({ waiting: 2, failed: 0, oldestAt: iso });
  expect(rows).toEqual(ids.map((id) => ({ id, ...row })));
  const recipient = "ada@example.com";
  expect(await act("mail.retry", { id: retried })).toEqual({ id: retried, recipient });
  expect(await act("mail.discard", { id: discarded })).toEqual({ id: discarded, recipient });
  expect(await act("mail.discard", { id: discarded })).toBe("not_found");
  expect(await ask(support, "operator.mail.queue", {})).toMatchObject({ waiting: 1, failed: 1 });
  for (const action of ["mail.retry", "mail.discard"]) {
    expect(await operatorLog(action)).toEqual([{ object: recipient, reason }]);
  }
});

test("events of Stripe: also what was given up is tried again, or discarded, in the operators' log", async () => {
  const type = "checkout.session.completed";
  for (const id of ["evt_1", "evt_2"]) {
    await api.owner.sql`
      insert into stripe_inbox (event_id, type, created, payload, attempts, dead_at, last_error)
      values (${id}, ${type}, now(), '{}', 8, now(), 'down')`;
  }
  const { rows, ...counts } = await ask(support, "operator.stripe.queue", {});
  expect(counts).toEqual({ waiting: 0, dead: 2, oldestAt: null });
  const times = { receivedAt: iso, nextAttemptAt: null, deadAt: iso };
  expect(rows[0]).toEqual({ eventId: "evt_1", type, attempts: 8, error: "down", ...times });
  expect(await act("stripe.retry", { event: "evt_1" })).toEqual({ event: "evt_1", type });
  expect(await act("stripe.discard", { event: "evt_2" })).toEqual({ event: "evt_2", type });
  expect(await ask(support, "operator.stripe.queue", {})).toMatchObject({ waiting: 1, dead: 0 });
  expect(await operatorLog("stripe.retry")).toEqual([{ object: `evt_1 ${type}`, reason }]);
  expect(await operatorLog("stripe.discard")).toEqual([{ object: `evt_2 ${type}`, reason }]);
});

test("webhooks: what waits is sent now or canceled, in the account's own audit log", async () => {
  const { accountId: account } = customer;
  const [endpoint, event] = [newId(), newId()];
  const ids = [newId(), newId()].toSorted();
  const url = "https://receiver.example/";
  await api.owner.sql`insert into webhook_endpoints (account_id, id, url, secret, failing_since)
    values (${account}, ${endpoint}, ${url}, '\\x00', now())`;
  await api.owner.sql`insert into webhook_events (account_id, id, type, body)
    values (${account}, ${event}, 'key.created', '{}')`;
  for (const id of ids) {
    await api.owner.sql`insert into webhook_messages
        (account_id, id, event_id, endpoint_id, attempts, attempts_max, send_after)
      values (${account}, ${id}, ${event}, ${endpoint}, 1, 10, now() + interval '1 hour')`;
  }
  const [retried, discarded] = ids;
  const { rows, failing, ...counts } = await ask(support, "operator.webhook.queue", {});
  // Those of other accounts have not failed.
  expect(counts).toEqual({ waiting: expect.any(Number), oldestAt: iso });
  expect(failing).toMatchObject([{ accountId: account, id: endpoint, url, failingSince: iso }]);
  expect(rows).toHaveLength(2);
  expect(rows[0]).toEqual({
    accountId: account,
    account: expect.any(String),
    id: expect.any(String),
    url,
    attempts: 1,
    createdAt: iso,
    nextAttemptAt: iso,
    error: null,
  });
  expect(await act("webhook.retry", { account, id: retried })).toEqual({ account, id: retried });
  expect(await act("webhook.discard", { account, id: discarded })).toMatchObject({ id: discarded });
  expect(await act("webhook.retry", { account, id: discarded })).toBe("not_found");
  const lines = (await ask(customer, "audit.list", {})).rows.slice(0, 2);
  expect(lines).toMatchObject([
    { action: "webhook.discard", actorKind: "operator", changes: { message: [discarded, null] } },
    { action: "webhook.retry", actorKind: "operator", changes: { message: [retried, null] } },
  ]);
  await api.owner.sql`
    update webhook_endpoints set disabled_at = now(), disabled_by = 'gone' where id = ${endpoint}`;
  expect(await act("webhook.retry", { account, id: retried })).toBe("conflict");
});
