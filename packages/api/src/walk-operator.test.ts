// Walks every verb of the desk with every operator role, with members who are not operators, with people who are not
// signed in, and with operators without a second factor: each is served exactly those whom the table names.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { operatorRoles } from "@turnpike/db";
import { verbNames, verbOf } from "@turnpike/operator";
import { addOperator } from "./add-operator.fixture.ts";
import { callProcedure, operatorProcedureNames } from "./call-procedure.fixture.ts";
import { type Member, openTestApi, type TestApi } from "./open-test-api.fixture.ts";
import { metaOf } from "./read-procedure.fixture.ts";
import { operatorDoc, withVerbs } from "./verbs-doc.fixture.ts";
import { deskSamples } from "./walk-desk-samples.fixture.ts";

let api: TestApi;
let customer: Member;
/** By what makes the difference: the role, and for an owner what is missing. */
const people = new Map<string, Member>();

beforeAll(async () => {
  api = await openTestApi();
  customer = await api.addMember();
  for (const role of operatorRoles) people.set(role, await addOperator(api, role));
  people.set("member", await api.addMember());
  const without = await addOperator(api, "owner");
  await api.owner.sql`
    delete from factors where person_id in
      (select person_id from memberships where account_id = ${without.accountId})`;
  people.set("without factor", without);
  const long = await addOperator(api, "owner");
  await api.owner.sql`
    update sessions set password_at = now() - interval '10 minutes 1 second'
     where public_id = ${long.ownedIds.sessionId}`;
  people.set("proven long ago", long);
});
afterAll(() => api.close());

/** The fault of a call of the procedure, or "served". */
async function outcomeOf(name: string, who: string): Promise<string> {
  const input = deskSamples[name]?.(customer);
  const context = await api.contextOf(people.get(who));
  const outcome = await callProcedure(`operator.${name}`, context, input);
  return outcome.ok ? "served" : outcome.fault;
}

const refusals = ["permission_denied", "unauthenticated", "second_factor_required"];
const failures = ["internal_error", "unknown_parameter", "invalid_type", "step_up_required"];

test("every verb is a procedure, and every procedure a verb", () => {
  const named = verbNames.map((name) => `operator.${name}`).toSorted();
  expect(operatorProcedureNames).toEqual(named);
  expect(Object.keys(deskSamples).toSorted()).toEqual(verbNames.toSorted());
});

test("docs/operator.md lists every verb, as `bun packages/api/src/verbs-doc.fixture.ts` writes it", async () => {
  const text = await Bun.file(operatorDoc).text();
  expect(withVerbs(text)).toBe(text);
});

describe.each([...verbNames])("%s", (name) => {
  const verb = verbOf(name);

  test("serves the operators whom it names, and nobody else", async () => {
    for (const role of operatorRoles) {
      const outcome = await outcomeOf(name, role);
      const isServed = verb?.roles.includes(role) === true;
      expect([role, outcome === "permission_denied"]).toEqual([role, !isServed]);
      if (isServed) expect([...refusals, ...failures]).not.toContain(outcome);
    }
    expect(await outcomeOf(name, "member")).toBe("permission_denied");
    expect(await outcomeOf(name, "nobody")).toBe("unauthenticated");
    expect(await outcomeOf(name, "without factor")).toBe("second_factor_required");
  });

  test("takes a reason and a recent proof if it is a command, and neither if it is a query", async () => {
    const { stepUp } = metaOf(`operator.${name}`);
    const isCommand = verb?.kind === "command";
    expect([Object.keys(verb?.input.shape ?? {}).includes("reason"), stepUp]).toEqual([
      isCommand,
      isCommand ? "always" : undefined,
    ]);
    const outcome = await outcomeOf(name, "proven long ago");
    expect(outcome === "step_up_required").toBe(isCommand);
  });
});
