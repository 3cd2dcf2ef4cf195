// Invalid values in every field of every procedure: refused with the name of the field, or taken as
// plain text; never an internal error, and nothing is created or moved.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  callProcedure,
  type Member,
  type Outcome,
  openTestApi,
  procedureNames,
  type TestApi,
} from "./open-test-api.fixture.ts";
import { samples } from "./walk-samples.fixture.ts";

let api: TestApi;
let ada: Member;

beforeAll(async () => {
  api = await openTestApi();
  ada = await api.addMember();
});
afterAll(() => api.close());

const call = async (name: string, input: unknown): Promise<Outcome> =>
  callProcedure(name, await api.contextOf(ada), input);

/** What an account has, and what a procedure can change. */
async function inventory() {
  const [row] = await api.sql`
    select (select count(*) from api_keys) as keys, (select count(*) from top_ups) as top_ups,
           (select count(*) from persons) as people, (select count(*) from entries) as entries,
           (select count(*) from sessions) as sessions,
           (select md5(string_agg(k::text, '' order by k.id)) from api_keys k) as key_facts,
           (select md5(string_agg(a::text, '' order by a.id)) from accounts a) as accounts`;
  return row;
}

/** No amount in any field. */
const noAmounts: readonly unknown[] = [
  "-5",
  "NaN",
  "Infinity",
  "1e309",
  "1e2",
  "0x10",
  " 10 ",
  "10^12",
  "1000000000000",
  "",
  "+10",
  "10,50",
  "10.",
  ".5",
  "１０",
  "10\n",
  "$10",
  "--",
  10,
  0,
  -5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  true,
  {},
  ["10"],
];
/** More decimals than cents. */
const noCents: readonly unknown[] = ["0.001", "10.005"];

const amountFields: readonly (readonly [string, readonly string[], readonly unknown[]])[] = [
  ["wallet.createTopUp", ["amountUsd"], [...noAmounts, ...noCents, "0", null]],
  ...["thresholdUsd", "amountUsd", "ceilingUsd"].map(
    (field) => ["wallet.setAutoTopUp", [field], [...noAmounts, ...noCents, "0", null]] as const,
  ),
  ["wallet.setLowBalanceAlert", ["usd"], [...noAmounts, ...noCents]],
  ...["maxInputUsdPerMillion", "maxOutputUsdPerMillion", "maxCallUsd"].map(
    (rule) => ["guardrails.set", ["rules", rule], [...noAmounts, "0.0000000001", null]] as const,
  ),
  ["budgets.set", ["limitUsd"], [...noAmounts, ...noCents, null]],
  ...["keys.create", "keys.update"].flatMap((name) =>
    ["day", "week", "month", "total"].map(
      (period) =>
        [name, ["limits", "spendLimitsUsd", period], [...noAmounts, ...noCents, null]] as const,
    ),
  ),
  ["logs.list", ["minCostUsd"], [...noAmounts, "0.0000000001", null]],
];

describe("an invalid amount", () => {
  test.each(amountFields)(
    "is refused by %s at %j, and nothing is created",
    async (name, path, bad) => {
      const before = await inventory();
      for (const value of bad) {
        const outcome = await call(name, withValue(sampleInput(name), path, value));
        const label = `${name} ${JSON.stringify(value)}`;
        expect([label, outcome]).toEqual([
          label,
          {
            ok: false,
            fault: expect.stringMatching(/^(invalid_|decimal_)/),
            message: expect.any(String),
            param: path.join("."),
          },
        ]);
      }
      expect(await inventory()).toEqual(before);
    },
  );

  test("every money field is tested here", () => {
    const tried = amountFields.map(([name, path]) => `${name} ${path[0]}`);
    for (const name of procedureNames) {
      const named = leavesOf(sampleInput(name)).filter((path) => /usd/i.test(path.join(".")));
      for (const path of named) expect(tried).toContain(`${name} ${path[0]}`);
    }
  });
});

const nonsense: readonly unknown[] = [
  "",
  " ",
  "\u0000",
  "a\nb",
  "\u001b[2J",
  "\ud800",
  "\u202e",
  "__proto__",
  "null",
  "-1",
  "<script>alert(1)</script>",
  "' or 1=1 --",
  "../../etc/passwd",
  "//evil.example",
  "x".repeat(1_000_000),
  7,
  -1,
  1.5,
  Number.POSITIVE_INFINITY,
  Number.NaN,
  true,
  null,
  [],
  {},
  [null],
  [{}],
  new Array(500).fill("x"),
];

describe.each(procedureNames)("%s", (name) => {
  test("refuses an invalid value in any field with that field's name, or takes it as text", async () => {
    const input = sampleInput(name);
    for (const path of leavesOf(input)) {
      for (const value of nonsense) {
        const outcome = await call(name, withValue(input, path, value));
        const label = `${path.join(".")} = ${JSON.stringify(value)?.slice(0, 50)}`;
        if (outcome.ok) continue;
        expect([label, outcome.fault]).not.toEqual([label, "internal_error"]);
        const isMisspelled = /^(invalid|missing|string|decimal|integer|array)/.test(outcome.fault);
        const [field = ""] = path;
        if (isMisspelled) expect([label, outcome.param]).toEqual([label, startingWith(field)]);
      }
    }
  });

  test("refuses an invalid value instead of its input", async () => {
    if (samples[name]?.input === undefined) return;
    for (const value of [undefined, null, "text", 7, [], [{}], {}]) {
      const outcome = await call(name, value);
      const required = JSON.stringify(value) !== "{}" && value !== undefined;
      if (required) expect(outcome.ok).toBe(false);
      if (!outcome.ok) expect(outcome.fault).not.toBe("internal_error");
    }
  });
});

const noDates: readonly string[] = [
  "0001-01-01T00:00:00Z",
  "0001-01-01T00:00:00+14:00",
  "0000-01-01T00:00:00Z",
  "1999-12-31T23:59:59Z",
  "2200-01-01T00:00:00Z",
  "9999-12-31T23:59:59-14:00",
  "2026-02-30T00:00:00Z",
  "2026-01-01T00:00:00+99:99",
  "2026-01-01",
];
const dateFields: readonly (readonly [string, readonly string[]])[] = [
  ["logs.list", ["from"]],
  ["logs.list", ["to"]],
  ["wallet.ledger", ["from"]],
  ["wallet.ledger", ["to"]],
  ["usage.read", ["from"]],
  ["usage.read", ["to"]],
  ["usage.groups", ["from"]],
  ["usage.groups", ["to"]],
  ["keys.create", ["limits", "expiresAt"]],
  ["keys.update", ["limits", "expiresAt"]],
];

test.each(dateFields)("an impossible date is refused by %s at %j", async (name, path) => {
  for (const value of noDates) {
    const outcome = await call(name, withValue(sampleInput(name), path, value));
    expect([value, outcome]).toEqual([
      value,
      {
        ok: false,
        fault: expect.stringMatching(/^invalid_/),
        message: expect.any(String),
        param: path.join("."),
      },
    ]);
  }
});

const startingWith = (field: string) => expect.stringMatching(new RegExp(`^${field}(\\.|\\[|$)`));

type Input = Readonly<Record<string, unknown>>;

function sampleInput(name: string): Input {
  return samples[name]?.input?.(ada?.ownedIds ?? nobody) ?? {};
}

/** For the names of fields, before any person exists. */
const nobody = { sessionId: "", keyId: "", generationId: "", topUpId: "", managementKeyId: "" };

/** The paths of all values that are not objects. */
function leavesOf(input: Input, above: readonly string[] = []): readonly (readonly string[])[] {
  return Object.entries(input).flatMap(([field, value]) =>
    isObject(value) ? leavesOf(value, [...above, field]) : [[...above, field]],
  );
}

function withValue(input: Input, [field = "", ...below]: readonly string[], value: unknown): Input {
  if (below.length === 0) return { ...input, [field]: value };
  const inner = input[field];
  return { ...input, [field]: withValue(isObject(inner) ? inner : {}, below, value) };
}

function isObject(value: unknown): value is Input {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
