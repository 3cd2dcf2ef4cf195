// Whatever can be named takes the same names: one stored form of each, and nothing in it that cannot be seen.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newId } from "@turnpike/base";
import type { ApiContext } from "./context.ts";
import { callProcedure, type Member, openTestApi, type TestApi } from "./open-test-api.fixture.ts";

let api: TestApi;
let member: Member;

beforeAll(async () => {
  api = await openTestApi();
  member = await api.addMember();
});
afterAll(() => api.close());

type Naming = {
  readonly procedure: string;
  readonly input?: () => Promise<Record<string, unknown>>;
  /** The table of what is named. */
  readonly table: string;
};

const attempt = async () => ({ attemptId: newId() });
const namings: Readonly<Record<string, Naming>> = {
  "an API key": { procedure: "keys.create", input: attempt, table: "api_keys" },
  "a project": { procedure: "projects.create", table: "projects" },
  "a management key": {
    procedure: "managementKeys.create",
    input: async () => ({ ...(await attempt()), permissions: ["usage.read"] }),
    table: "management_keys",
  },
  "an organization": { procedure: "accounts.create", table: "accounts" },
  "a person": { procedure: "profile.update", table: "persons" },
  "a factor": {
    procedure: "factors.rename",
    input: async () => {
      const [factor] = await api.sql`
        select id from factors where confirmed_at is not null and person_id in
          (select person_id from memberships where account_id = ${member.accountId}) limit 1`;
      return { id: factor?.id };
    },
    table: "factors",
  },
};

describe.each(Object.entries(namings))("%s", (kind, { procedure, input, table }) => {
  const call = async (name: string) => {
    const context: ApiContext = await api.contextOf(member);
    return callProcedure(procedure, context, { ...(await input?.()), name });
  };

  test("is stored by its normalized name", async () => {
    expect(await call(`  Zu\u0308rich\u00a0 ${kind} `)).toMatchObject({ ok: true });
    const rows = await api.owner.sql`
      select name from ${api.owner.sql(table)} where name like '%rich%'`;
    expect(rows.map(({ name }) => name)).toEqual([`Z\u00fcrich ${kind}`]);
  });

  test.each([
    ["a zero-width space", "a\u200bb"],
    ["a right-to-left override", "a\u202eb"],
    ["a line separator", "a\u2028b"],
    ["a Hangul filler", "\u3164"],
  ])("is refused a name with %s", async (_, name) => {
    const refused = { ok: false, fault: "invalid_value", param: "name" };
    expect(await call(name)).toMatchObject(refused);
  });
});
