// Whatever zone a browser reports or a profile named, what is looked at is answered: in that zone, or in UTC.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { findTimeZone } from "@turnpike/base";
import { type ActingMember, authenticate } from "./acting-member.fixture.ts";
import {
  callProcedure,
  openTestApi,
  procedureNames,
  type TestApi,
} from "./open-test-api.fixture.ts";
import { isMutation } from "./read-procedure.fixture.ts";
import { samples } from "./walk-samples.fixture.ts";

let api: TestApi;
let member: ActingMember;

beforeAll(async () => {
  api = await openTestApi();
  member = await authenticate(api, await api.addMember());
});
afterAll(() => api.close());

const zones = [
  "US/Pacific-New",
  "Canada/East-Saskatchewan",
  "Etc/Unknown",
  "Foo/Bar",
  "Asia/Calcutta",
];

const inputOf = (name: string): object => ({ ...samples[name]?.input?.(member.ownedIds) });
const call = (name: string, input: object) => callProcedure(name, member.context, input);

describe.each(zones)("%s", (timeZone) => {
  test("every report answers", async () => {
    const zoned = procedureNames.filter((name) => !isMutation(name) && "timeZone" in inputOf(name));
    expect(zoned).toEqual(expect.arrayContaining(["overview.read", "wallet.ledger"]));
    for (const name of zoned) {
      const outcome = await call(name, { ...inputOf(name), timeZone });
      expect([name, outcome.ok]).toEqual([name, true]);
    }
  });

  test("a profile takes a zone by its present name, or says that it is not one", async () => {
    const present = findTimeZone(timeZone);
    const outcome = await call("profile.update", { timeZone });
    expect(outcome.ok).toBe(present !== undefined);
    if (present === undefined) return;
    const [person] = await api.sql`
      select time_zone from persons where id = ${member.personId}`;
    expect(person?.time_zone).toBe(present);
    expect((await call("budgets.setTimeZone", { timeZone })).ok).toBe(true);
  });
});

test("PostgreSQL knows every zone of the list", async () => {
  const rows = await api.sql<{ name: string }[]>`select name from pg_timezone_names`;
  const known = new Set(rows.map(({ name }) => name));
  const found = Intl.supportedValuesOf("timeZone").map(findTimeZone);
  expect(found.filter((zone) => zone !== undefined && !known.has(zone))).toEqual([]);
});
