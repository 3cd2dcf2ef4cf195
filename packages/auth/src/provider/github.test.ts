// Signing in with GitHub, which has no ID token: the numeric id is the subject, and only a primary address that GitHub
// verified counts.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { GithubUser } from "@turnpike/testing";
import { openTestProviders, type TestProviders } from "./open-test-providers.fixture.ts";

let bed: TestProviders;

beforeAll(async () => {
  bed = await openTestProviders();
});
afterAll(() => bed.close());

let users = 0;

function newUser(more: Partial<GithubUser> = {}): GithubUser {
  users += 1;
  const email = `octocat-${users}@example.com`;
  const emails = [{ email, primary: true, verified: true }];
  return { id: 1_000 + users, login: `octocat-${users}`, name: null, emails, ...more };
}

async function signInAs(user: GithubUser) {
  bed.github.user = user;
  const { url, browser } = await bed.start("github");
  return bed.finish(browser, bed.github.authorize(url), "github");
}

test("a user is the same person by id, even if login and address change", async () => {
  const user = newUser();
  const first = await signInAs(user);
  expect(first).toMatchObject({ path: "/keys", email: user.emails[0]?.email });
  const renamed = newUser({ id: user.id });
  expect((await signInAs(renamed)).personId).toBe(first.personId as never);
  const [person] = await bed.sql`select name from persons where id = ${first.personId ?? ""}`;
  expect(person?.name).toBe(user.login);
});

describe("refused", () => {
  const address = { email: "ada@example.com", primary: true, verified: true };

  test.each([
    ["a primary address that is not verified", [{ ...address, verified: false }]],
    ["a verified address that is not the primary one", [{ ...address, primary: false }]],
    ["an address that hides the real one", [{ ...address, email: "1+a@users.noreply.github.com" }]],
    ["no address", []],
  ])("%s", async (_, emails) => {
    expect((await signInAs(newUser({ emails }))).reason).toBe("unverified");
  });

  test("another user who got the address of a user who is linked", async () => {
    const user = newUser();
    await signInAs(user);
    const successor = newUser({ emails: user.emails });
    expect((await signInAs(successor)).reason).toBe("other_subject");
  });

  test("a code that GitHub refuses, with its status 200", async () => {
    bed.github.user = newUser();
    const { url, browser } = await bed.start("github");
    const callback = bed.github.authorize(url);
    callback.searchParams.set("code", "made-up");
    expect(await bed.finish(browser, callback, "github")).toMatchObject({
      reason: "failed",
      setCookies: [],
    });
  });

  test("a code of another browser's sign-in, whose verifier it lacks", async () => {
    bed.github.user = newUser();
    const stolen = bed.github.authorize((await bed.start("github")).url);
    const { url, browser } = await bed.start("github");
    stolen.searchParams.set("state", new URL(url).searchParams.get("state") ?? "");
    expect((await bed.finish(browser, stolen, "github")).reason).toBe("failed");
  });
});
