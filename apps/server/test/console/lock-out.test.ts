// Guessing passwords slows down only the guesser: the owner still signs in on a known device, continues in
// a live session, and unlocks any other browser by an emailed link.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { at, startTestServer, type TestServer } from "../harness/index.ts";
import {
  type Browser,
  faultOf,
  openBrowser,
  password,
  readMails,
  signUp,
  tokenOf,
} from "./browser.fixture.ts";

let server: TestServer;

/** As many clients as a test needs, each with its own address. */
beforeAll(async () => {
  server = await startTestServer({
    environment: { THROTTLE_SCALE: "1", TRUSTED_PROXIES: "127.0.0.1" },
  });
});
afterAll(() => server.close());

let addresses = 0;
function browserElsewhere(): Browser {
  addresses += 1;
  const address = `10.${Math.floor(addresses / 250)}.${addresses % 250}.7`;
  return openBrowser(server.url, { "x-forwarded-for": address });
}

const wrong = "not the right password";

async function logIn(browser: Browser, email: string, secret = password) {
  return browser.mutate("auth.login", { email, password: secret });
}

/** Wrong passwords from new addresses each time, as if the waits had passed. */
async function guess(email: string, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    await server.owner.sql`update throttles set blocked_until = null
                            where bucket like 'login:person:%'`;
    const answer = await logIn(browserElsewhere(), email, wrong);
    expect(faultOf(answer)).toBe("wrong_credentials");
  }
}

test("the owner signs in on a known device, and continues in a session, while guessers are throttled", async () => {
  const email = "attacked@example.com";
  const laptop = browserElsewhere();
  await signUp(laptop, server.url, email);
  await guess(email, 16);
  expect(faultOf(await logIn(browserElsewhere(), email, wrong))).toBe("throttled");
  expect(faultOf(await logIn(browserElsewhere(), email))).toBe("throttled");

  const proof = { method: "password", password };
  expect((await laptop.mutate("auth.stepUp", proof)).status).toBe(200);
  expect((await laptop.mutate("auth.logout")).status).toBe(200);
  expect((await logIn(laptop, email)).status).toBe(200);
  expect(faultOf(await logIn(browserElsewhere(), email))).toBe("throttled");
});

test("guesses from the owner's own network do not throttle their known device either", async () => {
  const email = "same-office@example.com";
  const office = { "x-forwarded-for": "198.51.100.7" };
  const laptop = openBrowser(server.url, office);
  await signUp(laptop, server.url, email);
  const neighbor = openBrowser(server.url, office);
  const faults: unknown[] = [];
  while (!faults.includes("throttled")) {
    faults.push(faultOf(await logIn(neighbor, `nobody-${faults.length}@example.com`, wrong)));
  }
  expect((await laptop.mutate("auth.logout")).status).toBe(200);
  expect((await logIn(laptop, email)).status).toBe(200);
});

test("no wait is longer than 15 minutes, regardless of earlier attempts", async () => {
  const email = "besieged@example.com";
  await signUp(browserElsewhere(), server.url, email);
  await guess(email, 1);
  await server.owner.sql`
    update throttles set count = 100000, blocked_until = null where bucket like 'login:person:%'`;
  expect(faultOf(await logIn(browserElsewhere(), email, wrong))).toBe("wrong_credentials");
  const refused = await logIn(browserElsewhere(), email);
  expect(faultOf(refused)).toBe("throttled");
  const waitMs = Number(at(refused.error, "data.retryAfterMs"));
  expect(waitMs).toBeGreaterThan(5 * 60_000);
  expect(waitMs).toBeLessThanOrEqual(15 * 60_000);
  await server.owner.sql`
    update throttles set since = since - interval '15 minutes',
           blocked_until = blocked_until - interval '15 minutes'
     where bucket like 'login:person:%'`;
  expect((await logIn(browserElsewhere(), email)).status).toBe(200);
});

test("a known device and a session that guess are slowed down by their own counters", async () => {
  const email = "thief@example.com";
  const stolen = browserElsewhere();
  await signUp(stolen, server.url, email);
  const other = browserElsewhere();
  await logIn(other, email);
  await server.owner.sql`
    insert into throttles (bucket, count, since, blocked_until)
    select 'login:session:' || public_id, 10, now(), now() + interval '1 minute' from sessions
     where address = ${await addressOf(stolen)}`;
  const proof = { method: "password", password };
  expect(faultOf(await stolen.mutate("auth.stepUp", proof))).toBe("throttled");
  expect((await other.mutate("auth.stepUp", proof)).status).toBe(200);
  for (let n = 0; n < 10; n += 1) await logIn(stolen, email, wrong);
  await server.owner.sql`
    update throttles set blocked_until = now() + interval '1 minute'
     where bucket like 'login:device:%'`;
  expect(faultOf(await logIn(stolen, email))).toBe("throttled");
  expect((await logIn(other, email)).status).toBe(200);
  expect((await logIn(browserElsewhere(), email)).status).toBe(200);
});

async function addressOf(browser: Browser): Promise<string> {
  const { data } = await browser.query("sessions.list");
  const current = Array.isArray(data) ? data.find((one) => at(one, "current")) : undefined;
  return String(at(current, "address"));
}

test("the owner gets an unlock link once a day, and it lets a new browser try the password", async () => {
  const email = "locked-out@example.com";
  await signUp(browserElsewhere(), server.url, email);
  await guess(email, 16);
  const fresh = browserElsewhere();
  for (let n = 0; n < 3; n += 1) expect(faultOf(await logIn(fresh, email))).toBe("throttled");
  const mails = (await readMails(server.url, email)).filter(
    ({ kind }) => kind === "unlock_sign_in",
  );
  expect(mails).toHaveLength(1);

  const token = await tokenOf(server.url, email, "unlock_sign_in");
  expect((await fresh.mutate("auth.unlockBrowser", { token })).data).toEqual({ email });
  expect((await fresh.query("auth.me")).data).toBeNull();
  expect((await fresh.mutate("auth.unlockBrowser", { token })).data).toEqual({ email });
  expect(faultOf(await browserElsewhere().mutate("auth.unlockBrowser", { token }))).toBe(
    "token_expired",
  );
  expect(faultOf(await logIn(fresh, email, wrong))).toBe("wrong_credentials");
  expect((await logIn(fresh, email)).status).toBe(200);
});

test("an unlock link can be requested, with the same answer for every address", async () => {
  const email = "asks@example.com";
  await signUp(browserElsewhere(), server.url, email);
  for (const address of [email, "nobody-at-all@example.com"]) {
    const answer = await browserElsewhere().mutate("auth.requestUnlock", { email: address });
    expect([answer.status, answer.data]).toEqual([200, {}]);
  }
  expect((await readMails(server.url, email))[0]?.kind).toBe("unlock_sign_in");
  expect(await readMails(server.url, "nobody-at-all@example.com")).toHaveLength(0);
});

test("guessers cannot exhaust the emails of an owner on a known device", async () => {
  const email = "forgetful@example.com";
  const laptop = browserElsewhere();
  await signUp(laptop, server.url, email);
  expect((await browserElsewhere().mutate("auth.forgotPassword", { email })).status).toBe(200);
  expect(faultOf(await browserElsewhere().mutate("auth.forgotPassword", { email }))).toBe(
    "throttled",
  );
  expect((await laptop.mutate("auth.forgotPassword", { email })).status).toBe(200);
});

test("with the day's emails spent by others, an unlock link lets a new browser reset the password", async () => {
  const email = "drained@example.com";
  await signUp(browserElsewhere(), server.url, email);
  const ask = (browser: Browser) => browser.mutate("auth.forgotPassword", { email });
  for (let n = 0; n < 5; n += 1) {
    expect((await ask(browserElsewhere())).status).toBe(200);
    await server.owner.sql`delete from throttles where bucket like 'mail:reset:%:minute'`;
  }
  const fresh = browserElsewhere();
  const refused = await ask(fresh);
  expect(faultOf(refused)).toBe("throttled");
  expect(Number(at(refused.error, "data.retryAfterMs"))).toBeGreaterThan(15 * 60_000);
  const unlock = await tokenOf(server.url, email, "unlock_sign_in");
  expect((await fresh.mutate("auth.unlockBrowser", { token: unlock })).status).toBe(200);
  expect((await ask(fresh)).status).toBe(200);
  const token = await tokenOf(server.url, email, "reset_password");
  const given = { token, password: "a fresh long secret" };
  expect((await fresh.mutate("auth.resetPassword", given)).status).toBe(200);
  expect((await logIn(fresh, email, "a fresh long secret")).status).toBe(200);
});

test("an unknown address gets no mail when its daily limit is reached, and the same answer", async () => {
  const email = "nobody-drained@example.com";
  const ask = () => browserElsewhere().mutate("auth.forgotPassword", { email });
  for (let n = 0; n < 5; n += 1) {
    expect((await ask()).status).toBe(200);
    await server.owner.sql`delete from throttles where bucket like 'mail:reset:%:minute'`;
  }
  expect(faultOf(await ask())).toBe("throttled");
  expect(await readMails(server.url, email)).toEqual([]);
});

test("an address whose links others requested without effect can still register", async () => {
  const email = "awaited@example.com";
  for (let n = 0; n < 5; n += 1) {
    const answer = await browserElsewhere().mutate("auth.resendVerification", { email });
    expect(answer.status).toBe(200);
    await server.owner.sql`delete from throttles where bucket like 'mail:verify:%:minute'`;
  }
  expect(faultOf(await browserElsewhere().mutate("auth.resendVerification", { email }))).toBe(
    "throttled",
  );
  await server.owner.sql`delete from throttles where bucket like 'mail:verify:%:minute'`;
  await signUp(browserElsewhere(), server.url, email);
});

test("a device of someone who knew the old password is no longer known after a reset", async () => {
  const email = "recovered@example.com";
  const thief = browserElsewhere();
  await signUp(thief, server.url, email);
  await browserElsewhere().mutate("auth.forgotPassword", { email });
  const token = await tokenOf(server.url, email, "reset_password");
  const given = { token, password: "a fresh long secret" };
  expect((await browserElsewhere().mutate("auth.resetPassword", given)).status).toBe(200);
  await guess(email, 16);
  expect(faultOf(await logIn(thief, email, wrong))).toBe("throttled");
});

test("a valid link is never throttled by guesses at links from the same network", async () => {
  const email = "linked@example.com";
  const home = { "x-forwarded-for": "203.0.113.50" };
  const owner = openBrowser(server.url, home);
  await owner.mutate("auth.register", { email, password });
  const token = await tokenOf(server.url, email, "verify_email");
  const neighbor = openBrowser(server.url, home);
  const faults: unknown[] = [];
  while (!faults.includes("throttled")) {
    const given = { token: `guess-${faults.length}`, password };
    faults.push(faultOf(await neighbor.mutate("auth.verifyEmail", given)));
  }
  expect((await owner.mutate("auth.verifyEmail", { token, password })).status).toBe(200);
});
