// Answers of a provider that must not be believed: of another provider, for another sign-in, stolen, from another time.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { signInAtProvider } from "@turnpike/testing";
import { callerAt } from "../open-test-auth.fixture.ts";
import { openTestProviders, openTrip, type TestProviders } from "./open-test-providers.fixture.ts";
import { startScriptedOpenid } from "./scripted-openid.fixture.ts";

let bed: TestProviders;

beforeAll(async () => {
  bed = await openTestProviders();
});
afterAll(() => bed.close());

/** The URL with other parameters. */
function change(url: URL | string, changes: Readonly<Record<string, string | null>>): URL {
  const changed = new URL(url);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) changed.searchParams.delete(name);
    else changed.searchParams.set(name, value);
  }
  return changed;
}

/** The failure with its causes. */
const messageOf = ({ cause }: { readonly cause?: unknown }) => Bun.inspect(cause, { depth: 6 });

describe("nonce", () => {
  test("an ID token with the nonce of another sign-in is refused", async () => {
    const { sub } = bed.addPerson();
    const { url, browser } = await bed.start();
    const tampered = change(url, { nonce: "the nonce of another sign-in" });
    const returned = await bed.finish(browser, await bed.acme.signIn(tampered.href, sub));
    expect(returned).toMatchObject({ reason: "failed", setCookies: [] });
    expect(messageOf(returned)).toContain("nonce");
  });

  test("an ID token without a nonce is refused", async () => {
    const { sub } = bed.addPerson();
    const { url, browser } = await bed.start();
    const callback = await bed.acme.signIn(change(url, { nonce: null }).href, sub);
    expect((await bed.finish(browser, callback)).reason).toBe("failed");
  });
});

describe("PKCE", () => {
  test("a code that was stolen from another browser is worth nothing in this one", async () => {
    const victim = bed.addPerson();
    const { url } = await bed.start();
    const stolen = await bed.acme.signIn(url, victim.sub);
    const mine = await bed.start();
    const state = new URL(mine.url).searchParams.get("state");
    const returned = await bed.finish(mine.browser, change(stolen, { state }));
    expect(returned).toMatchObject({ reason: "failed", setCookies: [] });
  });

  test("every sign-in has a challenge of its own, by S256", async () => {
    const first = new URL((await bed.start()).url).searchParams;
    const second = new URL((await bed.start()).url).searchParams;
    expect(first.get("code_challenge_method")).toBe("S256");
    expect(first.get("code_challenge")).toHaveLength(43);
    for (const name of ["state", "nonce", "code_challenge"]) {
      expect(first.get(name)).not.toBe(second.get(name));
    }
  });

  test("the provider refuses the code if the challenge was replaced on the way", async () => {
    const { sub } = bed.addPerson();
    const { url, browser } = await bed.start();
    const tampered = change(url, { code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM" });
    const callback = await bed.acme.signIn(tampered.href, sub);
    expect((await bed.finish(browser, callback)).reason).toBe("failed");
  });
});

describe("mix-up", () => {
  test("a code of one provider is not accepted where the browser comes back from another", async () => {
    const { sub } = bed.addPerson();
    const there = await bed.start("other");
    const acme = await bed.start("acme", there.browser);
    const callback = await bed.acme.signIn(acme.url, sub);
    // At the other one's redirect URI, with the state of either.
    expect((await bed.finish(acme.browser, callback, "other")).reason).toBe("expired");
    const state = new URL(there.url).searchParams.get("state");
    const swapped = await bed.finish(acme.browser, change(callback, { state }), "other");
    expect(swapped).toMatchObject({ reason: "failed", setCookies: [] });
    expect(messageOf(swapped)).toContain("iss");
  });

  test.each([
    ["another issuer", "https://evil.example"],
    ["none", null],
  ])("a response that states %s is refused", async (_, iss) => {
    const { sub } = bed.addPerson();
    const { url, browser } = await bed.start();
    const callback = await bed.acme.signIn(url, sub);
    expect(callback.searchParams.get("iss")).toBe(bed.acme.issuer);
    const returned = await bed.finish(browser, change(callback, { iss }));
    expect(returned).toMatchObject({ reason: "failed", setCookies: [] });
    expect(messageOf(returned)).toContain("iss");
  });
});

describe("state", () => {
  test.each([
    ["made up", "b"],
    ["missing", null],
  ])("one that is %s is refused", async (_, state) => {
    const { browser } = await bed.start();
    const callback = change("http://console.test/auth/callback/acme?code=a", { state });
    expect((await bed.finish(browser, callback)).reason).toBe("expired");
  });

  test("a cookie that is no token is replaced instead of kept", async () => {
    const planted = callerAt("203.0.113.1", "turnpike_provider=../../etc");
    const { browser } = await bed.start("acme", planted);
    expect(browser.cookies).toMatch(/turnpike_provider=[\w-]{43}$/);
  });
});

/** Signs in at a provider whose clock is ahead, or behind. */
async function signInShifted(shiftMs: number) {
  const file = Bun.fileURLToPath(new URL("./shifted-provider.fixture.ts", import.meta.url));
  const provider = Bun.spawn([process.execPath, file, String(shiftMs)], {
    stdout: "pipe",
    stderr: "ignore",
  });
  try {
    let line = "";
    for await (const chunk of provider.stdout) {
      line += Buffer.from(chunk).toString();
      if (line.includes("}\n")) break;
    }
    const found = JSON.parse(line.slice(line.indexOf("{")));
    const settings = { id: "acme", name: "Acme", kind: "openid", ...found };
    const trip = openTrip({ db: bed.db, auth: bed.reopen({ providers: [settings] }) });
    const { url, browser } = await trip.start();
    return await trip.finish(browser, await signInAtProvider(url, "clock"));
  } finally {
    provider.kill();
    await provider.exited;
  }
}

describe("clock skew", () => {
  test.each([[30], [-30]])("a provider whose clock is %d s off is believed", async (seconds) => {
    const returned = await signInShifted(seconds * 1_000);
    expect(messageOf(returned)).toBe("undefined");
    // Each process is another issuer: the second one may not take over the address of the first.
    expect(returned.reason).toBeUndefined();
  });

  test("an ID token that expired 20 s ago by our clock is believed: the clocks may differ", async () => {
    // The provider's tokens are valid for ten minutes.
    const returned = await signInShifted(-620_000);
    expect([messageOf(returned), returned.reason]).toEqual(["undefined", undefined]);
  });

  test("an ID token that expired an hour ago by our clock is refused", async () => {
    const returned = await signInShifted(-3_600_000);
    expect(returned).toMatchObject({ reason: "failed", setCookies: [] });
  });
});

test("a provider that cannot be reached is a refusal that says so, and the next attempt asks again", async () => {
  const settings = {
    id: "acme",
    name: "Acme",
    kind: "openid",
    issuer: "http://127.0.0.1:9",
  } as const;
  const auth = bed.reopen({ providers: [{ ...settings, clientId: "a", clientSecret: "b" }] });
  const trip = openTrip({ db: bed.db, auth });
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const outcome = await trip.start().then(
      () => "started",
      (error: Error) => error.message,
    );
    expect(outcome).toContain("Acme could not be reached.");
  }
});

describe("claims", () => {
  const verified = { email: "stated@example.com", email_verified: true };
  const hour = 3_600;
  const now = () => Math.floor(Date.now() / 1_000);

  async function signInWith(idToken: object, userinfo: object = {}) {
    const provider = startScriptedOpenid();
    try {
      provider.say({ ...idToken }, { ...userinfo });
      const trip = openTrip({ db: bed.db, auth: bed.reopen({ providers: [provider.settings] }) });
      const { url, browser } = await trip.start();
      return await trip.finish(browser, provider.signIn(url));
    } finally {
      await provider.close();
    }
  }

  test("those of a good sign-in are believed", async () => {
    const inToken = await signInWith({
      sub: "s-1",
      email: "in-token@example.com",
      email_verified: true,
    });
    expect([messageOf(inToken), inToken.email]).toEqual(["undefined", "in-token@example.com"]);
    const asked = await signInWith({ sub: "s-2" }, { sub: "s-2", ...verified });
    expect([messageOf(asked), asked.email]).toEqual(["undefined", verified.email]);
  });

  test.each([
    ["an empty sub", () => ({ sub: "" }), "sub"],
    ["a sub of white space", () => ({ sub: "  " }), "sub"],
    ["a sub of 256 characters", () => ({ sub: "s".repeat(256) }), "sub"],
    [
      "an iat an hour ahead",
      () => ({ sub: "s-3", iat: now() + hour, exp: now() + 2 * hour }),
      "iat",
    ],
  ])("%s is refused", async (_, claims, named) => {
    const returned = await signInWith({ ...verified, email: "never@example.com", ...claims() });
    expect(returned).toMatchObject({ reason: "failed", setCookies: [] });
    expect(messageOf(returned)).toContain(named);
  });

  test.each([
    ["that it is verified", { email_verified: true }],
    ["that its owner was verified", { xms_edov: true }],
  ])("an ID token that says %s says it of no address of userinfo", async (_, claim) => {
    const returned = await signInWith(
      { sub: "s-4", ...claim },
      { sub: "s-4", email: "other@example.com" },
    );
    expect(returned).toMatchObject({ setCookies: [] });
    expect(returned.reason).toBeDefined();
    const people = await bed.sql`select id from persons where email = 'other@example.com'`;
    expect(people).toHaveLength(0);
  });
});
