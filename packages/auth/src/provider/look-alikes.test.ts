// Addresses that a provider vouches for and that only look like someone's here: nobody is linked or signed in.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { OpenidPerson } from "@turnpike/testing";
import {
  openTestProviders,
  openTrip,
  settingsOf,
  type TestProviders,
} from "./open-test-providers.fixture.ts";

let bed: TestProviders;

beforeAll(async () => {
  bed = await openTestProviders();
  for (const email of ["quack@example.com", "susan@example.com", "a@quack.example"]) {
    await bed.signUp(email);
  }
});
afterAll(() => bed.close());

const lookAlikes = [
  ["the Kelvin sign", "quac\u212a@example.com"],
  ["the long s", "\u017fusan@example.com"],
  ["the Kelvin sign in the domain", "a@quac\u212a.example"],
  ["letters of full width", "\uff51\uff55\uff41\uff43\uff4b@example.com"],
  ["letters of full width in the domain", "quack@\uff45xample.com"],
  ["an ideographic full stop", "quack@example\u3002com"],
  ["white space at the end", "quack@example.com "],
  ["white space at the beginning", "\tquack@example.com"],
  ["a byte order mark", "\ufeffquack@example.com"],
] as const;

let users = 0;

async function countRows() {
  const [rows] = await bed.sql`
    select (select count(*) from identities)::int as identities,
           (select count(*) from persons)::int as people, (select count(*) from sessions)::int as sessions`;
  return rows;
}

describe("an OpenID provider that vouches for a look-alike", () => {
  test.each(lookAlikes)(
    "%s: refused as unverified, nobody linked, created or signed in",
    async (_, email) => {
      const before = await countRows();
      const { sub } = bed.addPerson({ email });
      expect(await bed.signIn(sub)).toMatchObject({ reason: "unverified", setCookies: [] });
      const there = bed.addPerson({ email }, bed.other);
      const { url, browser } = await bed.start("other");
      const returned = await bed.finish(browser, await bed.other.signIn(url, there.sub), "other");
      expect(returned).toMatchObject({ reason: "unverified", setCookies: [] });
      expect(await countRows()).toEqual(before);
    },
  );
});

describe("a primary address of GitHub", () => {
  test.each(lookAlikes)(
    "%s: refused as unverified, nobody linked, created or signed in",
    async (_, email) => {
      const before = await countRows();
      const emails = [{ email, primary: true, verified: true }];
      users += 1;
      // Someone else each time: a user who is linked is known by the id.
      bed.github.user = { id: 4_711 + users, login: "quack", name: null, emails };
      const { url, browser } = await bed.start("github");
      const returned = await bed.finish(browser, bed.github.authorize(url), "github");
      expect(returned).toMatchObject({ reason: "unverified", setCookies: [] });
      expect(await countRows()).toEqual(before);
    },
  );
});

test("an international domain is the same in a provider's spelling and in a person's", async () => {
  const { authenticated } = await bed.signUp("user@xn--mnchen-3ya.example");
  const { sub } = bed.addPerson({ email: "User@M\u00fcnchen.example" });
  expect((await bed.signIn(sub)).personId).toBe(authenticated.person.id);
});

describe("of Google", () => {
  const signInAtGoogle = async (claims: Partial<OpenidPerson>) => {
    const kind = "google" as const;
    const auth = bed.reopen({ providers: [{ ...settingsOf("acme", bed.acme), kind }] });
    const { sub } = bed.addPerson(claims);
    const trip = openTrip({ db: bed.db, auth });
    const { url, browser } = await trip.start();
    return trip.finish(browser, await bed.acme.signIn(url, sub));
  };

  test.each([
    ["a Workspace whose name only looks like the domain", "b@quack.example", "quac\u212a.example"],
    ["a Workspace with white space in its name", "b@quack.example", "quack.example "],
    ["a mailbox that only looks like Google's own", "b@gmail.com\u3000", undefined],
  ])("%s: refused as unverified", async (_, email, hd) => {
    const before = await countRows();
    const returned = await signInAtGoogle({ email, ...(hd !== undefined && { hd }) });
    expect(returned).toMatchObject({ reason: "unverified", setCookies: [] });
    expect(await countRows()).toEqual(before);
  });

  test.each([
    ["c@m\u00fcnchen.example", "xn--mnchen-3ya.example"],
    ["d@xn--mnchen-3ya.example", "M\u00fcnchen.example"],
  ])("%s belongs to the Workspace %s", async (email, hd) => {
    expect((await signInAtGoogle({ email, hd })).reason).toBeUndefined();
  });
});
