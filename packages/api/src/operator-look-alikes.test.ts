// An operator who pastes an address that only looks like someone's reaches nobody; one in another spelling reaches them.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { addOperator } from "./add-operator.fixture.ts";
import { callProcedure, type Member, openTestApi, type TestApi } from "./open-test-api.fixture.ts";

let api: TestApi;
let owner: Member;
const reason = "ticket 9";

beforeAll(async () => {
  api = await openTestApi();
  owner = await addOperator(api, "owner");
  await addPerson("quack@example.com");
  await addPerson("user@xn--mnchen-3ya.example");
});
afterAll(() => api.close());

async function addPerson(email: string): Promise<void> {
  const { accountId } = await api.addMember();
  await api.owner.sql`
    update persons set email = ${email} where id in
      (select person_id from memberships where account_id = ${accountId} and role = 'owner')`;
}

async function ask(name: string, input: Record<string, unknown>) {
  const context = await api.contextOf(owner);
  const outcome = await callProcedure(`operator.${name}`, context, input);
  return outcome.ok ? "served" : outcome.fault;
}

const found = async (text: string) => {
  const outcome = await callProcedure("operator.desk.find", await api.contextOf(owner), { text });
  return JSON.stringify(outcome);
};

test.each(["quac\u212a@example.com", "\uff51uack@example.com", "quack@example\u3002com"])(
  "%s is nobody's address",
  async (email) => {
    expect(await ask("operator.grant", { email, role: "support", reason })).toBe("invalid_value");
    expect(await ask("operator.revoke", { email, reason })).toBe("invalid_value");
    expect(await ask("person.endSessions", { email, reason })).toBe("invalid_value");
    expect(await ask("account.show", { account: email })).toBe("not_found");
    expect(await found(email)).not.toContain("quack@example.com");
  },
);

test.each([
  [" Quack@Example.COM ", "quack@example.com"],
  ["user@m\u00fcnchen.example", "user@xn--mnchen-3ya.example"],
])("%s is found as %s", async (email, stored) => {
  expect(await ask("account.show", { account: email })).toBe("served");
  expect(await found(email)).toContain(stored);
  expect(await ask("operator.grant", { email, role: "support", reason })).toBe("served");
  expect(await ask("operator.revoke", { email, reason })).toBe("served");
});
