// Every rule of a guardrail, of an account, a project and a key: what it excludes is refused with its name, whose it
// is and who can change it, recorded and free; what it allows is answered.
import { afterAll, afterEach, expect, test } from "bun:test";
import type { GuardrailRules } from "@turnpike/keys";
import { toNanos } from "@turnpike/terms";
import { untilHourHasRoom } from "@turnpike/testing";
import {
  at,
  expectCleanBooks,
  expectFault,
  getPath,
  readJson,
  startTestServer,
} from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";
import { calledSince } from "../routing/route-catalog.ts";
import {
  askGuarded,
  guarded,
  guardedCatalog,
  guardedKinds,
  openGuarded,
} from "./guarded.fixture.ts";

// What is computed here holds for all tests of this file.
await untilHourHasRoom(120_000);

const server = await startTestServer({ catalog: guardedCatalog });
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

const usd = (amount: number) => toNanos(BigInt(Math.round(amount * 1e9)));
const { many, one, other } = guarded;

/** The day of the week in UTC, as rules count them. */
const today = ((new Date().getUTCDay() + 6) % 7) + 1;
const inThreeDays = ((today + 2) % 7) + 1;
const everyDay = [1, 2, 3, 4, 5, 6, 7];

type Case = {
  readonly rule: string;
  readonly rules: GuardrailRules;
  /** Default: `guardrail_blocked`. */
  readonly code?: string;
  /** A model that is refused. Default: all are. */
  readonly refused?: string;
  /** Who answers `vendor/many`, if it is allowed. */
  readonly answeredBy?: string;
};

const cases: readonly Case[] = [
  {
    rule: "allowed_models",
    rules: { allowedModels: ["vendor/*"] },
    code: "model_not_allowed",
    refused: other,
    answeredBy: "keeps",
  },
  {
    rule: "allowed_models",
    rules: { allowedModels: [many] },
    code: "model_not_allowed",
    refused: one,
    answeredBy: "keeps",
  },
  {
    rule: "allowed_providers",
    rules: { allowedProviders: ["ret*", "nobody"] },
    refused: one,
    answeredBy: "retains-nothing",
  },
  { rule: "max_input_usd_per_million", rules: { maxInputNanos: usd(0.999) } },
  { rule: "max_output_usd_per_million", rules: { maxOutputNanos: usd(3.999) } },
  { rule: "max_call_usd", rules: { maxCallNanos: usd(0.000001) } },
  {
    rule: "deny_training",
    rules: { denyTraining: true },
    refused: one,
    answeredBy: "deletes",
  },
  { rule: "deny_training", rules: { denyTraining: true }, refused: other },
  {
    rule: "deny_retention",
    rules: { denyRetention: true },
    refused: one,
    answeredBy: "retains-nothing",
  },
  { rule: "deny_retention", rules: { denyRetention: true }, refused: other },
  {
    rule: "allowed_addresses",
    rules: { allowedAddresses: ["203.0.113.0/24", "2001:db8::/32"] },
    code: "address_not_allowed",
  },
  {
    rule: "allowed_hours",
    rules: { allowedHours: { days: [inThreeDays], fromMinute: 0, untilMinute: 1_440 } },
  },
];

const changers = {
  account: "an owner or admin of the account",
  project: "an owner or admin of the account",
  key: "the member who created the key, or an owner or admin of the account",
};

const matrix = cases.flatMap((each) => guardedKinds.map((kind) => ({ ...each, kind })));

test.each(matrix)("$rule of the $kind refuses $refused, and names itself", async (each) => {
  const { rule, rules, kind, code = "guardrail_blocked", refused = many, answeredBy } = each;
  const account = await openGuarded(server, { [kind]: rules });
  const from = server.upstream.requests.length;
  const response = await askGuarded(server, account, { model: refused });
  const error = await expectFault(response, {
    status: 403,
    type: "permission_error",
    code: "permission_denied",
  });
  expect(error.metadata).toMatchObject({
    limit_source: "guardrail",
    rule,
    rule_of: kind,
    changed_by: changers[kind],
    ...(kind === "project" && { project: "Search" }),
  });
  expect(error.message).toContain(`This rule (${rule}) can be changed by ${changers[kind]}.`);
  expect(response.headers.get("x-should-retry")).toBe("false");
  const row = await eventually("the row of the refusal", async () => {
    const [found] = await server.owner.sql`
      select state, error_code, status, key_id from requests where account_id = ${account.id}`;
    return found;
  });
  expect(row).toEqual({ state: "refused", error_code: code, status: 403, key_id: account.keyId });
  expect(calledSince(server.upstream, from)).toEqual([]);
  if (answeredBy === undefined) return;
  expect((await askGuarded(server, account)).status).toBe(200);
  expect(calledSince(server.upstream, from)).toEqual([answeredBy]);
});

const allowing: readonly (readonly [string, GuardrailRules])[] = [
  ["every model", { allowedModels: ["*"] }],
  ["the provider", { allowedProviders: ["keeps"] }],
  ["the price", { maxInputNanos: usd(1), maxOutputNanos: usd(4) }],
  ["the cost of the call", { maxCallNanos: usd(0.02) }],
  ["the address", { allowedAddresses: ["127.0.0.0/8", "::1"] }],
  ["the hour", { allowedHours: { days: everyDay, fromMinute: 0, untilMinute: 1_440 } }],
  [
    "the hour across midnight",
    { allowedHours: { days: everyDay, fromMinute: 600, untilMinute: 600 } },
  ],
];

test.each(allowing)("a guardrail that allows %s lets the call through", async (_, rules) => {
  const account = await openGuarded(server, { account: rules, project: rules, key: rules });
  const from = server.upstream.requests.length;
  expect((await askGuarded(server, account)).status).toBe(200);
  expect(calledSince(server.upstream, from)).toEqual(["keeps"]);
});

test("the strictest of account, project and key decides, and is the one that is named", async () => {
  const account = await openGuarded(server, {
    account: { maxInputNanos: usd(5), allowedModels: ["vendor/*", other] },
    project: { maxInputNanos: usd(0.5) },
    key: { maxInputNanos: usd(2), allowedModels: ["*"] },
  });
  const error = await expectFault(await askGuarded(server, account), {
    status: 403,
    type: "permission_error",
    code: "permission_denied",
  });
  expect(error.metadata).toMatchObject({
    rule: "max_input_usd_per_million",
    rule_of: "project",
    excluded: [
      { provider: "keeps", rule_of: "project" },
      { provider: "deletes", rule_of: "project" },
      { provider: "retains-nothing", rule_of: "project" },
    ],
  });
});

test("what one allows and another does not is in no list, however wide the key's is", async () => {
  const account = await openGuarded(server, {
    account: { allowedModels: ["vendor/*"] },
    key: { allowedModels: [other] },
  });
  for (const [model, owner] of [
    [many, "key"],
    [other, "account"],
  ] as const) {
    const error = await expectFault(await askGuarded(server, account, { model }), {
      status: 403,
      type: "permission_error",
      code: "permission_denied",
    });
    expect(error.metadata).toMatchObject({ rule: "allowed_models", rule_of: owner });
  }
});

test("a call costs at most what a guardrail allows, and its answer is as short as that requires", async () => {
  const account = await openGuarded(server, { key: { maxCallNanos: usd(0.003) } });
  const response = await askGuarded(server, account, { model: one });
  expect(response.status).toBe(200);
  expect(Number(response.headers.get("x-turnpike-max-tokens"))).toBeLessThan(1_000);
  // What the caller set is kept where it is less.
  const refused = await askGuarded(server, account, { model: one, max_cost: 0.0001 });
  await expectFault(refused, { status: 400, code: "unsupported_value", param: "max_cost" });
});

test("a preference for routes that a guardrail excludes leaves none", async () => {
  const account = await openGuarded(server, { account: { denyTraining: true } });
  const response = await askGuarded(server, account, { provider: { only: ["keeps"] } });
  const error = await expectFault(response, {
    status: 404,
    code: "no_endpoints",
    param: "provider.only",
  });
  expect(JSON.stringify(error.metadata)).not.toContain("keeps");
});

test("a fallback model is tried in place of one that guardrails exclude, and is not if it is excluded", async () => {
  const account = await openGuarded(server, { project: { denyTraining: true } });
  const served = await askGuarded(server, account, { model: other, models: [one, many] });
  expect(await served.json()).toMatchObject({ model: many });
  const none = await askGuarded(server, account, { model: other, models: [one] });
  const error = await expectFault(none, {
    status: 403,
    type: "permission_error",
    code: "permission_denied",
  });
  expect(error.metadata).toMatchObject({ rule: "deny_training", rule_of: "project" });
});

test("the models of a key are those that every guardrail allows", async () => {
  const account = await openGuarded(server, {
    account: { allowedModels: ["vendor/*"] },
    key: { allowedModels: [one, other] },
  });
  const body = await readJson(await getPath(server, account.key, "/models/user"));
  expect(at(body, "data")).toMatchObject([{ id: one }]);
});
