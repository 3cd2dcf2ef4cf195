// A valid input of every verb of the desk, for the test that walks them.
import type { Member } from "./open-test-api.fixture.ts";

const reason = "ticket 7";
/** The id of no row. */
const nothing = "00000000-0000-7000-8000-000000000000";

export const deskSamples: Readonly<
  Record<string, (customer: Member) => Readonly<Record<string, unknown>>>
> = {
  "account.create": () => ({ email: `${crypto.randomUUID()}@example.com`, reason }),
  "account.list": () => ({ state: "owing", sort: "balance", ascending: true, limit: 10 }),
  "account.show": ({ accountId: account }) => ({ account }),
  "account.suspend": ({ accountId: account }) => ({ account, reason }),
  "account.resume": ({ accountId: account }) => ({ account, reason }),

  "account.timeline": ({ accountId: account }) => ({ account }),
  "account.leases": ({ accountId: account }) => ({ account }),
  "account.notes": ({ accountId: account }) => ({ account }),
  "account.note": ({ accountId: account }) => ({ account, reason }),
  "account.revokeKeys": ({ accountId: account }) => ({ account, reason }),
  "account.setLimits": ({ accountId: account }) => ({ account, concurrency: "9", reason }),
  "account.setCreditLimit": ({ accountId: account }) => ({ account, usd: "25", reason }),
  "account.setPrices": ({ accountId: account }) => ({ account, prices: "*=-10%", reason }),
  "account.adjust": ({ accountId: account }) => ({ account, usd: "5", reason }),
  "account.credit": ({ accountId: account }) => ({ account, usd: "5", reason }),
  "account.export": ({ accountId: account }) => ({ account, reason }),
  "account.close": ({ accountId: account }) => ({ account, name: "another name", reason }),

  "company.show": ({ accountId: account }) => ({ account }),
  "company.change": ({ accountId: account }) => ({ account, address: "1 High St; York", reason }),

  "member.remove": ({ accountId: account }) => ({
    account,
    member: "nobody@example.com",
    keys: "keep",
    reason,
  }),

  "statement.list": ({ accountId: account }) => ({ account }),
  "statement.show": ({ accountId: account }) => ({ account, month: "2026-10" }),
  "statement.pdf": ({ accountId: account }) => ({ account, month: "2026-10" }),

  "request.explain": ({ ownedIds: { generationId: id } }) => ({ id }),

  "key.list": ({ accountId: account }) => ({ account }),
  "key.create": ({ accountId: account }) => ({ account, name: "for the pilot", reason }),
  "key.limits": ({ ownedIds: { keyId: id } }) => ({ id }),
  "key.setLimits": ({ ownedIds: { foreignKeyId: id } }) => ({ id, dayUsd: "5", reason }),
  "key.revoke": ({ ownedIds: { keyId: id } }) => ({ id, reason }),

  "topUp.list": ({ accountId: account }) => ({ account }),
  "topUp.audit": () => ({ days: 7 }),
  "topUp.recheck": ({ ownedIds: { topUpId: id } }) => ({ id, reason }),
  "topUp.refund": ({ ownedIds: { topUpId: id } }) => ({ id, idempotencyKey: "once", reason }),

  "person.resendVerification": () => ({ email: "nobody@example.com", reason }),
  "person.sendReset": () => ({ email: "nobody@example.com", reason }),
  "person.requestDeletion": () => ({ email: "nobody@example.com", reason }),
  "person.cancelDeletion": () => ({ email: "nobody@example.com", reason }),
  "person.endSessions": () => ({ email: "nobody@example.com", reason }),

  "cost.show": () => ({ days: 7 }),
  "domain.prove": () => ({ domain: "pilot.example", organization: "acme", reason }),
  "domain.release": () => ({ domain: "pilot.example", reason }),
  "desk.find": () => ({ text: "ada@" }),
  "desk.forms": () => ({}),

  "incident.list": () => ({}),
  "incident.open": () => ({ title: "Slow", text: "We look into it.", impact: "degraded", reason }),
  "incident.update": () => ({ id: "1", state: "identified", text: "We know why.", reason }),
  "incident.resolve": () => ({ id: "1", text: "It is over.", reason }),
  "catalog.versions": () => ({}),
  "catalog.prices": () => ({ model: "a/model" }),
  "catalog.show": () => ({}),
  "catalog.edit": () => ({ text: "models: 7", reason }),
  "catalog.rollback": () => ({ id: 7, reason }),
  "catalog.release": () => ({ reason }),
  "catalog.check": () => ({}),
  "catalog.applyFile": () => ({ reason }),
  "catalog.compare": () => ({ text: "models: 7" }),
  "job.list": () => ({}),
  "job.run": () => ({ name: "check books", reason }),
  "mail.queue": () => ({}),
  "mail.retry": () => ({ id: nothing, reason }),
  "mail.discard": () => ({ id: nothing, reason }),
  "maintenance.show": () => ({}),
  "maintenance.start": () => ({ message: "Back at 14:00.", retryAfterSeconds: 60, reason }),
  "maintenance.end": () => ({ reason }),
  "model.list": () => ({}),
  "model.off": () => ({ model: "a/model", reason }),
  "model.on": () => ({ model: "a/model", reason }),
  "money.report": () => ({ by: "account", order: "refused", days: 7 }),
  "money.topups": () => ({ reversed: true }),
  "money.books": () => ({}),
  "money.owing": () => ({}),
  "money.close": () => ({ month: "2026-11" }),
  "route.off": () => ({ provider: "a", upstreamModel: "model", reason }),
  "route.on": () => ({ provider: "a", upstreamModel: "model", reason }),
  "stripe.queue": () => ({}),
  "stripe.retry": () => ({ event: "evt_0", reason }),
  "stripe.discard": () => ({ event: "evt_0", reason }),
  "system.instances": () => ({}),
  "system.tables": () => ({}),
  "system.replica": () => ({}),
  "system.settings": () => ({}),
  "view.list": () => ({}),
  "view.start": ({ accountId: account }) => ({ account, reason }),
  "view.end": () => ({ id: nothing, reason }),
  "webhook.queue": () => ({}),
  "webhook.retry": ({ accountId: account }) => ({ account, id: nothing, reason }),
  "webhook.discard": ({ accountId: account }) => ({ account, id: nothing, reason }),

  "operator.list": () => ({}),
  "operator.log": () => ({}),
  "operator.grant": () => ({ email: "nobody@example.com", role: "support", reason }),
  "operator.revoke": () => ({ email: "nobody@example.com", reason }),
};
