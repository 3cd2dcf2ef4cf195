// Mail domains: proven by a real DNS answer or by an operator, and owned by one organization.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { operator } from "@turnpike/db";
import { type ScriptedDns, startScriptedDns } from "@turnpike/testing";
import { createOrganization } from "../account/organization.ts";
import type { AccountContext } from "../account-context.ts";
import {
  faultCodeOf,
  faultIn,
  openTestAccounts,
  type TestAccounts,
  type TestPerson,
  testAddress,
} from "../open-test-accounts.fixture.ts";
import { addDomain, listDomains } from "./domain.ts";
import { proveDomain, proveDomainAsOperator, releaseDomain } from "./prove-domain.ts";
import { openResolver } from "./resolve-txt.ts";

let bed: TestAccounts;
let dns: ScriptedDns;
let context: AccountContext;
let domains = 0;

beforeAll(async () => {
  dns = await startScriptedDns();
  bed = await openTestAccounts();
  context = { ...bed.context, resolveTxt: openResolver([dns.address]) };
});
afterAll(async () => {
  await bed.close();
  await dns.close();
});

const newDomain = () => `company-${++domains}.example`;

/** An organization of the person, with a domain that is not proven. */
async function found(owner: TestPerson, domain: string) {
  const by = { person: owner.person, address: testAddress };
  const { slug } = await createOrganization(bed.db, context, by, { name: domain });
  const member = await bed.memberOf(owner, slug);
  await addDomain(bed.db, member, { domain });
  const claim = async () => {
    const [listed] = await listDomains(bed.db, member.account.id);
    if (listed === undefined) throw new Error("There is no domain.");
    return listed;
  };
  return { member, slug, claim, id: (await claim()).id };
}

test("a domain that only looks like another one is not added", async () => {
  const company = await found(await bed.signUp(), newDomain());
  for (const domain of ["quac\u212a.example", "\uff41cme.example", "acme\u3002example"]) {
    const added = addDomain(bed.db, company.member, { domain });
    expect(await faultCodeOf(added)).toBe("invalid_value");
  }
});

describe("proof", () => {
  test("a TXT record with the token proves it; none, another one and a dead server do not", async () => {
    const { member, id, claim } = await found(await bed.signUp(), newDomain());
    const { recordName, recordValue } = await claim();
    const missing = await faultIn(proveDomain(bed.db, context, member, { id }));
    expect(missing?.message).toStartWith(`There is no TXT record at ${recordName}.`);
    dns.records.set(recordName, [`${recordValue}x`, "x".repeat(300)]);
    expect(await faultCodeOf(proveDomain(bed.db, context, member, { id }))).toBe("conflict");
    const lost = { ...context, resolveTxt: () => Promise.reject(new Error("No answer.")) };
    expect(await faultCodeOf(proveDomain(bed.db, lost, member, { id }))).toBe("bad_gateway");
    expect((await claim()).provenAt).toBeNull();
    dns.records.set(recordName, ["x".repeat(300), recordValue]);
    await proveDomain(bed.db, context, member, { id });
    expect(await claim()).toMatchObject({ provenBy: "dns", provider: null });
  });

  test("a domain belongs to the first who proves it, until an operator releases it", async () => {
    const domain = newDomain();
    const { member, id, claim } = await found(await bed.signUp(), domain);
    const first = await claim();
    dns.records.set(first.recordName, [first.recordValue]);
    await proveDomain(bed.db, context, member, { id });
    const other = await found(await bed.signUp(), domain);
    const { recordName, recordValue } = await other.claim();
    dns.records.set(recordName, [recordValue]);
    expect(await faultCodeOf(proveDomain(bed.db, context, other.member, other))).toBe("conflict");
    await releaseDomain(bed.db, operator, { domain });
    await proveDomain(bed.db, context, other.member, other);
    expect((await listDomains(bed.db, member.account.id))[0]?.provenAt).toBeNull();
    expect(await faultCodeOf(proveDomain(bed.db, context, member, { id }))).toBe("conflict");
  });

  test("an operator proves a domain that the organization added, and no other", async () => {
    const { slug, claim } = await found(await bed.signUp(), newDomain());
    const { domain } = await claim();
    await proveDomainAsOperator(bed.db, operator, { domain, slug });
    expect((await claim()).provenBy).toBe("operator");
    const attempt = proveDomainAsOperator(bed.db, operator, { domain: newDomain(), slug });
    expect(await faultCodeOf(attempt)).toBe("not_found");
  });

  test.each(["localhost", "a..example", "-a.example", "127.0.0.1", "a b.example", "x".repeat(260)])(
    "%s is no domain",
    async (domain) => {
      const { member } = await found(await bed.signUp(), newDomain());
      expect(await faultCodeOf(addDomain(bed.db, member, { domain }))).toBe("invalid_value");
    },
  );
});
