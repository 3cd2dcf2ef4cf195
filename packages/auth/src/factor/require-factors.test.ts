// An account that requires a second factor: from when, of whom, who is told, and what its log says.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { createOrganization } from "@turnpike/accounts";
import { faultCodeOf, type TestAuth } from "../open-test-auth.fixture.ts";
import { openTestFactors, type TestFactors } from "./open-test-factors.fixture.ts";
import { requireFactor, requireFactors } from "./require-factors.ts";

let opened: TestFactors;
let bed: TestAuth;

beforeAll(async () => {
  opened = await openTestFactors();
  bed = opened.bed;
});
afterAll(() => opened.close());

/** The owner of a new organization, who has an app, and a member who has none. */
async function organize() {
  const owner = await opened.signUpWithApp();
  const member = await bed.signUp();
  const by = { person: owner.authenticated.person, address: "203.0.113.1" };
  const { id, slug } = await createOrganization(bed.db, bed.auth, by, { name: "Acme" });
  await bed.sql`insert into memberships (account_id, person_id, role)
                values (${id}, ${member.authenticated.person.id}, 'developer')`;
  const seenBy = async (cookies: string) => {
    const session = await bed.auth.sessions.authenticate(cookies);
    const account = session?.person.accounts.find((one) => one.slug === slug);
    if (session === undefined || account === undefined) throw new Error("No member.");
    return { account, person: session.person, address: "203.0.113.1" };
  };
  return { id, slug, owner, member, seenBy };
}

test("from the deadline on, members without a factor are refused there, and nobody before it", async () => {
  const { owner, member, seenBy } = await organize();
  const asOwner = await seenBy(owner.cookies);
  const later = new Date(Date.now() + 60_000);
  await requireFactors(bed.db, bed.auth, asOwner, later);
  const early = await seenBy(member.cookies);
  expect(Date.parse(early.account.factorsRequiredFrom ?? "")).toBe(later.getTime());
  expect(requireFactor(early.account, early.person)).toBeUndefined();
  await requireFactors(bed.db, bed.auth, asOwner, new Date(Date.now() - 1_000));
  const late = await seenBy(member.cookies);
  expect(() => requireFactor(late.account, late.person)).toThrow("requires a second factor");
  const own = late.person.accounts[0];
  if (own === undefined) throw new Error("No personal account.");
  expect(requireFactor(own, late.person)).toBeUndefined();
  const still = await seenBy(owner.cookies);
  expect(requireFactor(still.account, still.person)).toBeUndefined();
  await opened.enroll(member.authenticated);
  const enrolled = await seenBy(member.cookies);
  expect(requireFactor(enrolled.account, enrolled.person)).toBeUndefined();
});

test("those without a factor are told by mail until when, and the audit log by whom", async () => {
  const { id, slug, owner, member, seenBy } = await organize();
  const from = new Date(Date.now() + 86_400_000);
  await requireFactors(bed.db, bed.auth, await seenBy(owner.cookies), from);
  const [mail] = await bed.mailsTo(member.email);
  expect(mail).toEqual({
    kind: "factor_required",
    accountName: "Acme",
    at: from.toISOString(),
    link: `http://console.test/a/${slug}/settings/security`,
  });
  expect((await bed.mailsTo(owner.email)).map(({ kind }) => kind)).not.toContain("factor_required");
  await requireFactors(bed.db, bed.auth, await seenBy(owner.cookies), null);
  const rows = await bed.sql`select action, actor_name, changes from audit_log
                              where account_id = ${id} order by id desc limit 2`;
  const line = { action: "account.require_factors", actor_name: owner.email };
  expect([...rows]).toEqual([
    { ...line, changes: { factorsRequiredFrom: [from.toISOString(), null] } },
    { ...line, changes: { factorsRequiredFrom: [null, from.toISOString()] } },
  ]);
});

test("nobody can lock themselves out, and a personal account has nobody to require it of", async () => {
  const { member, seenBy } = await organize();
  const without = await seenBy(member.cookies);
  const require = (by: typeof without) =>
    faultCodeOf(requireFactors(bed.db, bed.auth, by, new Date()));
  expect(await require(without)).toBe("conflict");
  const account = without.person.accounts[0];
  if (account === undefined) throw new Error("No personal account.");
  expect(await require({ ...without, account })).toBe("permission_denied");
});
