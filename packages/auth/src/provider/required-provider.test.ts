// Mail domains: proven by a real DNS answer or by an operator, owned by one organization, and then the only way to sign
// in for everyone with an address there is the provider it requires.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  addDomain,
  createOrganization,
  listDomains,
  openResolver,
  proveDomain,
  releaseDomain,
  removeDomain,
} from "@turnpike/accounts";
import { operator } from "@turnpike/db";
import { type ScriptedDns, startScriptedDns } from "@turnpike/testing";
import { requestEmailChange } from "../email-link/request-email-change.ts";
import { callerAt, faultCodeOf, faultIn, goodPassword } from "../open-test-auth.fixture.ts";
import { logIn } from "../session/log-in.ts";
import { listIdentities } from "./identities.ts";
import {
  openTestProviders,
  type Returned,
  type TestProviders,
  withCookies,
} from "./open-test-providers.fixture.ts";
import { setRequiredProvider } from "./required-provider.ts";

let bed: TestProviders;
let dns: ScriptedDns;
let auth: TestProviders["auth"];
let domains = 0;

beforeAll(async () => {
  dns = await startScriptedDns();
  bed = await openTestProviders();
  auth = { ...bed.auth, resolveTxt: openResolver([dns.address]) };
});
afterAll(async () => {
  await bed.close();
  await dns.close();
});

type Session = NonNullable<Awaited<ReturnType<TestProviders["auth"]["sessions"]["authenticate"]>>>;

const newDomain = () => `company-${++domains}.example`;

async function sessionOf({ setCookies }: Pick<Returned, "setCookies">): Promise<Session> {
  const { cookies } = withCookies(callerAt("203.0.113.1"), setCookies);
  const session = await auth.sessions.authenticate(cookies);
  if (session === undefined) throw new Error("Nobody is signed in.");
  return session;
}

/** An organization of the person, with a domain that is not proven. */
async function found(owner: Session, domain: string) {
  const by = { ...owner, address: "203.0.113.1" };
  const { slug } = await createOrganization(bed.db, auth, by, { name: domain });
  const [row] = await bed.sql`select id, kind, slug, name from accounts where slug = ${slug}`;
  const account = { ...row, role: "owner" } as Parameters<typeof addDomain>[1]["account"];
  const member = { ...by, account };
  await addDomain(bed.db, member, { domain });
  const claim = async () => {
    const [listed] = await listDomains(bed.db, account.id);
    if (listed === undefined) throw new Error("There is no domain.");
    return listed;
  };
  return { member, slug, claim, id: (await claim()).id };
}

/** An owner who signed in with Acme at the domain, which is proven by DNS. */
async function openCompany() {
  const domain = newDomain();
  const { sub } = bed.addPerson({ email: `owner@${domain}` });
  const owner = await sessionOf(await bed.signIn(sub));
  const company = await found(owner, domain);
  const { recordName, recordValue } = await company.claim();
  dns.records.set(recordName, ["v=spf1 -all", recordValue]);
  await proveDomain(bed.db, auth, company.member, company);
  return { ...company, domain, owner, sub };
}

const requireOf = (company: Awaited<ReturnType<typeof openCompany>>, provider: string | null) =>
  setRequiredProvider(bed.db, auth, company.member, { id: company.id, provider });

test("an international domain is one in each spelling, and applies to each spelling of an address", async () => {
  const stored = "xn--bcher-kva.example";
  await bed.signUp(`user@${stored}`);
  const { sub } = bed.addPerson({ email: "owner@b\u00fccher.example" });
  const owner = await sessionOf(await bed.signIn(sub));
  const company = await found(owner, "B\u00dcCHER.example.");
  const { domain, recordName, recordValue } = await company.claim();
  expect(domain).toBe(stored);
  const again = addDomain(bed.db, company.member, { domain: "b\u00fccher.example" });
  expect(await faultCodeOf(again)).toBe("conflict");
  dns.records.set(recordName, [recordValue]);
  await proveDomain(bed.db, auth, company.member, company);
  await setRequiredProvider(bed.db, auth, company.member, { id: company.id, provider: "acme" });
  for (const email of ["user@b\u00fccher.example", `user@${stored}`]) {
    const given = { email, password: goodPassword };
    const loggedIn = logIn(bed.db, auth, callerAt("203.0.113.1"), given);
    expect(await faultCodeOf(loggedIn)).toBe("permission_denied");
  }
});

describe("a required provider", () => {
  test("signs out anyone who signed in another way, and admits them that way only", async () => {
    const company = await openCompany();
    const ada = await bed.signUp(`ada@${company.domain}`);
    const outsider = await bed.signUp();
    await requireOf(company, "acme");
    expect(await auth.sessions.authenticate(ada.cookies)).toBeUndefined();
    expect(await auth.sessions.authenticate(outsider.cookies)).toBeDefined();
    const [kept] = await bed.sql`
      select count(*)::int as n from sessions where person_id = ${company.owner.person.id}`;
    expect(kept?.n).toBe(1);
    const password = { email: ada.email, password: goodPassword };
    const refused = await faultIn(logIn(bed.db, auth, callerAt("203.0.113.1"), password));
    expect(refused?.code).toBe("permission_denied");
    expect(refused?.message).toContain("sign in with Acme");
    const { sub } = bed.addPerson({ email: ada.email });
    expect((await bed.signIn(sub)).personId).toBe(ada.authenticated.person.id);
    await requireOf(company, null);
    const again = logIn(bed.db, auth, callerAt("203.0.113.1"), password);
    expect(await faultCodeOf(again)).toBe("no fault");
  });

  test("refuses another provider, and its own with an address elsewhere", async () => {
    const company = await openCompany();
    const ada = bed.addPerson({ email: `ada@${company.domain}` });
    const { personId } = await bed.signIn(ada.sub);
    const private_ = bed.addPerson({ email: "ada@home.example" });
    await bed.sql`
      insert into identities (id, person_id, provider, issuer, subject, email)
      values (${Bun.randomUUIDv7()}, ${personId ?? ""}, 'acme', ${bed.acme.issuer},
              ${private_.sub}, 'ada@home.example')`;
    const there = bed.addPerson({ email: ada.email }, bed.other);
    await requireOf(company, "acme");
    expect((await bed.signIn(private_.sub)).reason).toBe("required");
    const { url, browser } = await bed.start("other");
    const returned = await bed.finish(browser, await bed.other.signIn(url, there.sub), "other");
    expect(returned).toMatchObject({ reason: "required", setCookies: [] });
    // Known there, but no longer with a verified address of the domain.
    bed.addPerson({ ...ada, email_verified: false });
    expect((await bed.signIn(ada.sub)).reason).toBe("required");
    bed.addPerson(ada);
    expect((await bed.signIn(ada.sub)).personId).toBe(personId as never);
  });

  test("is required only by an owner who signed in so, of a domain that is proven", async () => {
    const company = await openCompany();
    const { member, id } = company;
    const byPassword = { ...member, session: { provider: null as string | null } };
    const attempt = (by: typeof byPassword, provider: string) =>
      faultCodeOf(setRequiredProvider(bed.db, auth, by, { id, provider }));
    expect(await attempt(byPassword, "acme")).toBe("conflict");
    expect(await attempt({ ...member, session: { provider: "other" } }, "other")).toBe("conflict");
    expect(await attempt({ ...member, session: { provider: "acme" } }, "nobody")).toBe("not_found");
    await releaseDomain(bed.db, operator, company);
    expect(await attempt({ ...member, session: { provider: "acme" } }, "acme")).toBe("conflict");
  });

  test("leaves its identity as the only way in, and the address as it is", async () => {
    const company = await openCompany();
    await bed.sql`update persons set password_hash = 'any' where id = ${company.owner.person.id}`;
    const ada = await bed.signUp(`ada@${company.domain}`);
    await requireOf(company, "acme");
    const list = await listIdentities(bed.db, auth, company.owner);
    expect(list.map(({ isLast }) => isLast)).toEqual([true]);
    const caller = { ...callerAt("203.0.113.1"), ...ada.authenticated };
    const change = { newEmail: "elsewhere@example.com", password: goodPassword };
    const attempt = requestEmailChange(bed.db, auth, caller, change);
    expect(await faultCodeOf(attempt)).toBe("permission_denied");
  });

  test("ends with the domain: removed, or released by an operator", async () => {
    for (const end of ["remove", "release"]) {
      const company = await openCompany();
      const ada = await bed.signUp(`ada@${company.domain}`);
      await requireOf(company, "acme");
      if (end === "remove") await removeDomain(bed.db, company.member, company);
      else await releaseDomain(bed.db, operator, company);
      const password = { email: ada.email, password: goodPassword };
      const attempt = logIn(bed.db, auth, callerAt("203.0.113.1"), password);
      expect(await faultCodeOf(attempt)).toBe("no fault");
    }
  });

  test("someone who signs in with a password at the same moment is signed out, or refused", async () => {
    const company = await openCompany();
    const ada = await bed.signUp(`ada@${company.domain}`);
    const password = { email: ada.email, password: goodPassword };
    const attempts = Array.from({ length: 6 }, () =>
      logIn(bed.db, auth, callerAt("203.0.113.1"), password).then(
        () => undefined,
        () => undefined,
      ),
    );
    await Promise.all([...attempts, requireOf(company, "acme")]);
    const rows = await bed.sql`
      select 1 from sessions where person_id = ${ada.authenticated.person.id}`;
    expect(rows).toHaveLength(0);
  });
});

test("what happens to a domain is in the audit log of the organization", async () => {
  const company = await openCompany();
  await requireOf(company, "acme");
  await releaseDomain(bed.db, operator, company);
  await removeDomain(bed.db, company.member, company);
  const rows = await bed.sql`
    select action, actor_kind, object_name from audit_log
     where account_id = ${company.member.account.id} and action like 'domain.%' order by id`;
  expect(rows.map(({ action, actor_kind }) => [action, actor_kind])).toEqual([
    ["domain.add", "person"],
    ["domain.prove", "person"],
    ["domain.require", "person"],
    ["domain.release", "operator"],
    ["domain.remove", "person"],
  ]);
  expect(new Set(rows.map(({ object_name }) => object_name))).toEqual(new Set([company.domain]));
});
