import { expect, test } from "bun:test";
import { describeChanges } from "./describe-change.ts";

const reader = {
  timeZone: "UTC",
  projectNames: { p1: "Search", p2: "Chat" },
  providerNames: { google: "Google" },
};

/** Every field that the server records, by what records it. */
test.each([
  ["account.change", "name", ["Acme", "Acme Inc."], "Name: from Acme to Acme Inc."],
  ["account.change", "slug", ["acme", "acme-inc"], "Address: from acme to acme-inc"],
  ["account.change", "requests_per_minute", ["60", null], "Requests per minute: from 60 to none"],
  ["account.change", "tokens_per_minute", [null, "9000"], "Tokens per minute: 9000"],
  ["account.change", "concurrency", [null, "5"], "Concurrent requests: 5"],
  ["account.change", "revokes_leaked_keys", [null, "yes"], "Revoke leaked keys at once: on"],
  ["account.change", "revokes_leaked_keys", [null, "no"], "Revoke leaked keys at once: off"],
  ["account.credit", "usd", [null, "5"], "Amount: $5"],
  ["account.debit", "usd", [null, "-5"], "Amount: $5"],
  ["account.debit", "reason", [null, "Paid twice"], "Reason: Paid twice"],
  ["account.remove_card", "card", ["4242", null], "Card ending in: from 4242 to none"],
  [
    "account.require_factors",
    "factorsRequiredFrom",
    [null, "2026-11-12T14:03:00.000Z"],
    "Second factor required from: Nov 12, 2026, 14:03",
  ],
  [
    "account.set_audit_retention",
    "days",
    ["90", null],
    "Keep the audit log for: from 90 days to Forever",
  ],
  ["account.set_auto_top_up", "enabled", ["false", "true"], "Top up automatically: from off to on"],
  ["account.set_auto_top_up", "threshold_usd", [null, "10"], "When below: $10"],
  ["account.set_auto_top_up", "amount_usd", ["25", "50"], "Add: from $25 to $50"],
  ["account.set_auto_top_up", "ceiling_usd", [null, "200"], "At most a month: $200"],
  ["account.set_company", "name", [null, "Acme"], "Company: Acme"],
  [
    "account.set_company",
    "address",
    [null, "Main St. 1, Springfield"],
    "Address: Main St. 1, Springfield",
  ],
  ["account.set_company", "taxNumber", ["DE1", ""], "Tax ID: from DE1 to none"],
  ["account.set_credit_limit", "usd", ["0", "100"], "Credit limit: from $0 to $100"],
  ["account.set_low_balance_alert", "usd", ["5", "10"], "Below: from $5 to $10"],
  ["account.set_low_balance_alert", "usd", ["5", null], "Below: from $5 to no email"],
  ["account.set_prices", "prices", [null, "* -10 %"], "Prices: * -10 %"],
  [
    "account.set_time_zone",
    "timeZone",
    ["UTC", "Europe/Berlin"],
    "Time zone of the account: from UTC to Europe/Berlin",
  ],
  [
    "account.set_unusual_spend_mail",
    "mail",
    ["on", "off"],
    "Email about unusual spending: from on to off",
  ],
  ["budget.set", "limitUsd", ["5", "10"], "Amount: from $5 to $10"],
  ["budget.set", "limitUsd", [null, "0.5"], "Amount: $0.50"],
  ["budget.set", "effect", ["tells", "refuses"], "At the limit: from Alert only to Block requests"],
  ["budget.remove", "limitUsd", ["1000", null], "Amount: from $1,000 to none"],
  ["domain.prove", "proven_by", [null, "dns"], "Proven by: TXT record"],
  ["domain.require", "provider", [null, "google"], "Sign-in: Only with Google"],
  ["domain.require", "provider", ["gone", null], "Sign-in: from Only with gone to Any way"],
  ["guardrail.set", "allowedModels", [null, "acme/*"], "Allowed models: acme/*"],
  ["guardrail.set", "allowedProviders", [null, "acme"], "Allowed providers: acme"],
  ["guardrail.set", "allowedAddresses", [null, "10.0.0.0/8"], "Allowed addresses: 10.0.0.0/8"],
  ["guardrail.set", "allowedHours", [null, "mon 9:00–17:00"], "Hours: mon 9:00–17:00"],
  [
    "guardrail.set",
    "maxInputUsdPerMillion",
    ["1", null],
    "Maximum input price per 1M tokens: from $1 to none",
  ],
  [
    "guardrail.set",
    "maxOutputUsdPerMillion",
    [null, "2.5"],
    "Maximum output price per 1M tokens: $2.50",
  ],
  ["guardrail.set", "maxCallUsd", [null, "1"], "Maximum cost of one request: $1"],
  [
    "guardrail.set",
    "denyTraining",
    [null, "true"],
    "Only providers that do not train on prompts: on",
  ],
  [
    "guardrail.remove",
    "denyRetention",
    ["true", null],
    "Only providers that do not keep prompts: from on to off",
  ],
  ["invitation.create", "role", [null, "viewer"], "Role: Viewer"],
  ["key.leaked", "revoked", [null, "yes"], "Revoked: yes"],
  ["key.leaked", "found_at", [null, "https://example.com"], "Found at: https://example.com"],
  [
    "management_key.create",
    "permissions",
    [null, "keys.read, audit.read"],
    "What it may do: See API keys, See the audit log",
  ],
  ["member.change_role", "role", ["viewer", "admin"], "Role: from Viewer to Admin"],
  ["member.remove", "keys", [null, "hand_over"], "API keys they made: Hand them over"],
  [
    "member.set_projects",
    "projects",
    ["all", "p1, p2, p9"],
    "Projects: from All projects to Search, Chat, p9",
  ],
  ["project.archive", "keys", [null, "move"], "Its API keys: Move them"],
  ["project.prompts", "days", [null, "30"], "Prompts and answers: Stored for 30 days"],
  [
    "project.prompts",
    "days",
    ["1", null],
    "Prompts and answers: from Stored for 1 day to Not stored",
  ],
  [
    "project.prompts",
    "redacts",
    ["true", "false"],
    "Replace secrets and addresses: from on to off",
  ],
  ["project.rename", "name", ["admin", "true"], "Name: from admin to true"],
  ["top_up.refund", "usd", [null, "5"], "Amount: $5"],
  ["top_up.refund", "refunded_usd", ["5", "10"], "Refunded in all: from $5 to $10"],
  ["top_up.refund", "idempotency_key", [null, "k1"], "Idempotency key: k1"],
  ["view.start", "until", [null, "2026-11-12T14:03:00.000Z"], "Until: Nov 12, 2026, 14:03"],
  ["webhook.change", "description", ["", "Alerts"], "Description: Alerts"],
  ["webhook.change", "url", [null, "https://example.com"], "URL: https://example.com"],
  [
    "webhook.change",
    "events",
    ["every event", "key.created"],
    "Events: from every event to key.created",
  ],
  ["webhook.disable", "reason", [null, "gone"], "Reason: It answered 410 Gone"],
  ["webhook.disable", "reason", [null, "Too slow"], "Reason: Too slow"],
  ["webhook.retry", "message", ["m1", null], "Delivery: m1"],
  ["webhook.send_again", "message", ["m1", "m2"], "Delivery: m1"],
] as const)(
  "a change of %s reads like the form that makes it: %s",
  (action, field, change, said) => {
    expect(describeChanges(action, { [field]: change }, reader)).toEqual([said]);
  },
);

test("a field that was sent as it was is no change", () => {
  const changes = {
    limitUsd: ["5", "10"],
    effect: ["refuses", "refuses"],
    description: [null, ""],
  } as const;
  expect(describeChanges("budget.set", changes, reader)).toEqual(["Amount: from $5 to $10"]);
  expect(describeChanges("budget.set", { effect: ["tells", "tells"] }, reader)).toEqual([]);
});
