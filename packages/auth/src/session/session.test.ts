// How long a session lives, who can end it, and which tokens are refused.

import { afterAll, beforeAll, describe, expect, setSystemTime, test } from "bun:test";
import { findChallenge, issueChallenge } from "../factor/factor-challenge.ts";
import {
  callerAt,
  cookieHeader,
  faultCodeOf,
  goodPassword,
  openTestAuth,
  type TestAuth,
} from "../open-test-auth.fixture.ts";
import { purgeSignIn } from "../person/purge-sign-in.ts";
import { requireSession } from "./authenticate-session.ts";
import { endAllSessions, endOtherSessions, endSession, logOut } from "./end-session.ts";
import { listSessions } from "./list-sessions.ts";
import { logIn } from "./log-in.ts";
import { requireRecentProof } from "./step-up.ts";

let bed: TestAuth;

const here = callerAt("203.0.113.1");

beforeAll(async () => {
  bed = await openTestAuth();
});
afterAll(() => bed.close());

function authenticate(cookies: string | null) {
  return bed.auth.sessions.authenticate(cookies);
}
async function signInAgain(email: string) {
  const given = { email, password: goodPassword };
  const { setCookies } = await logIn(bed.db, bed.auth, callerAt("203.0.113.2"), given);
  return cookieHeader(setCookies);
}
/** Moves the timestamps of a session into the past. */
async function age(publicId: string, interval: string) {
  await bed.sql`
    update sessions set created_at = created_at - ${interval}::interval,
           last_seen_at = last_seen_at - ${interval}::interval,
           password_at = password_at - ${interval}::interval,
           expires_at = expires_at - ${interval}::interval
     where public_id = ${publicId}`;
}

describe("a session", () => {
  test("identifies the person and their accounts", async () => {
    const { email, cookies } = await bed.signUp();
    expect(await authenticate(cookies)).toMatchObject({
      person: { email, name: "", accounts: [{ kind: "personal", name: email, role: "owner" }] },
      session: { address: "198.51.100.1" },
    });
  });

  test("ends after seven days without use", async () => {
    const { cookies, authenticated } = await bed.signUp();
    await age(authenticated.session.publicId, "7 days 1 second");
    expect(await authenticate(cookies)).toBeUndefined();
  });

  test("is extended by use, but never beyond thirty days", async () => {
    const { cookies, authenticated } = await bed.signUp();
    for (let days = 0; days < 25; days += 5) {
      await age(authenticated.session.publicId, "5 days");
      expect(await authenticate(cookies)).toBeDefined();
    }
    const [row] = await bed.sql`
      select extract(day from expires_at - created_at)::int as days from sessions
       where public_id = ${authenticated.session.publicId}`;
    expect(row?.days).toBe(30);
    await age(authenticated.session.publicId, "4 days 23 hours");
    expect(await authenticate(cookies)).toBeDefined();
    await age(authenticated.session.publicId, "1 hour 1 second");
    expect(await authenticate(cookies)).toBeUndefined();
  });

  test("records its last use once it is five minutes old, and not at every request", async () => {
    const { cookies, authenticated } = await bed.signUp();
    const { publicId } = authenticated.session;
    const idleMinutes = async () => {
      await authenticate(cookies);
      const [row] = await bed.sql`
        select floor(extract(epoch from now() - last_seen_at) / 60)::int as minutes
          from sessions where public_id = ${publicId}`;
      return row?.minutes;
    };
    await age(publicId, "3 minutes");
    expect(await idleMinutes()).toBeGreaterThanOrEqual(3);
    await bed.sql`update sessions set last_seen_at = now() - interval '5 minutes 1 second'
                   where public_id = ${publicId}`;
    expect(await idleMinutes()).toBeLessThan(3);
  });

  test("older than thirty days is refused, even if its row has not expired", async () => {
    const { cookies, authenticated } = await bed.signUp();
    await bed.sql`
      update sessions set created_at = now() - interval '31 days'
       where public_id = ${authenticated.session.publicId}`;
    expect(await authenticate(cookies)).toBeUndefined();
  });

  test("of a person whose address is no longer verified is refused", async () => {
    const { email, cookies } = await bed.signUp();
    await bed.sql`update persons set email_verified_at = null where email = ${email}`;
    expect(await authenticate(cookies)).toBeUndefined();
  });

  test("needs its exact token: the hash in the row gives no access", async () => {
    const { cookies, authenticated } = await bed.signUp();
    const [row] = await bed.sql`
      select encode(hash, 'hex') as hash from sessions
       where public_id = ${authenticated.session.publicId}`;
    const cookie = (value: string) => `turnpike_session=${value}`;
    for (const wrong of [
      row?.hash,
      authenticated.session.publicId,
      cookies.toUpperCase(),
      "",
      "%",
    ]) {
      expect(await authenticate(cookie(String(wrong)))).toBeUndefined();
    }
    expect(await authenticate("%E0%A4%A=1; turnpike_session=%E0%A4%A; =; ;")).toBeUndefined();
    expect(await authenticate(null)).toBeUndefined();
    expect(await authenticate(`other=1;${cookies};x=%`)).toBeDefined();
  });

  test("a caller without a session is told to sign in", async () => {
    expect(() => requireSession(undefined)).toThrow("Sign in to continue.");
  });
});

describe("ending sessions", () => {
  test("logging out ends the session and removes the cookie", async () => {
    const { cookies, authenticated } = await bed.signUp();
    const { setCookies } = await logOut(bed.db, bed.auth, { ...here, authenticated });
    expect(setCookies[0]).toMatch(/^turnpike_session=; .*Max-Age=0/);
    expect(await authenticate(cookies)).toBeUndefined();
    expect(
      (await logOut(bed.db, bed.auth, { ...here, authenticated: undefined })).setCookies[0],
    ).toMatch(/Max-Age=0/);
  });

  test("one session or all others can be ended; the requesting one continues", async () => {
    const { email, cookies, authenticated } = await bed.signUp();
    const phone = await signInAgain(email);
    const tablet = await signInAgain(email);
    const listed = await listSessions(bed.db, authenticated);
    expect(listed.map(({ device }) => device)).toEqual(Array(3).fill("Firefox on Linux"));
    expect(listed.filter(({ current }) => current).map(({ id }) => id)).toEqual([
      authenticated.session.publicId,
    ]);
    const phoneId = (await authenticate(phone))?.session.publicId ?? "";
    await endSession(bed.db, { ...here, authenticated }, phoneId);
    expect(await authenticate(phone)).toBeUndefined();
    expect(await faultCodeOf(endSession(bed.db, { ...here, authenticated }, phoneId))).toBe(
      "not_found",
    );
    expect(await endOtherSessions(bed.db, { ...here, authenticated })).toEqual({ ended: 1 });
    expect(await authenticate(tablet)).toBeUndefined();
    expect(await authenticate(cookies)).toBeDefined();
  });

  test("signing out everywhere ends all of them, this one too, and half of a sign-in", async () => {
    const ada = await bed.signUp();
    const phone = await signInAgain(ada.email);
    const eve = await bed.signUp();
    const { id } = ada.authenticated.person;
    const challenge = await issueChallenge(bed.db, "sign_in", id);
    const done = await endAllSessions(bed.db, bed.auth, { ...here, ...ada });
    expect(done.ended).toBe(2);
    expect(done.setCookies[0]).toMatch(/^turnpike_session=; .*Max-Age=0/);
    for (const cookies of [ada.cookies, phone]) expect(await authenticate(cookies)).toBeUndefined();
    expect(await findChallenge(bed.db, "sign_in", challenge)).toBeUndefined();
    expect(await authenticate(eve.cookies)).toBeDefined();
  });

  test("no one can end or see the session of another person", async () => {
    const ada = await bed.signUp();
    const eve = await bed.signUp();
    const adasId = ada.authenticated.session.publicId;
    expect(await faultCodeOf(endSession(bed.db, { ...here, ...eve }, adasId))).toBe("not_found");
    await endOtherSessions(bed.db, { ...here, ...eve });
    expect(await authenticate(ada.cookies)).toBeDefined();
    const seen = await listSessions(bed.db, eve.authenticated);
    expect(seen.map(({ id }) => id)).not.toContain(adasId);
  });
});

test("actions that need a recent password are refused ten minutes after it was given", async () => {
  const { cookies, authenticated } = await bed.signUp();
  expect(() => requireRecentProof(authenticated)).not.toThrow();
  await age(authenticated.session.publicId, "10 minutes 1 second");
  const later = await authenticate(cookies);
  expect(() => later && requireRecentProof(later)).toThrow("Enter your password again");
});

test("the cookie outlives its session, so that only use decides when it ends", async () => {
  const { email } = await bed.signUp();
  const given = { email, password: goodPassword };
  const { setCookies } = await logIn(bed.db, bed.auth, callerAt("203.0.113.2"), given);
  const [, seconds] = /Max-Age=(\d+)/.exec(setCookies[0] ?? "") ?? [];
  expect(Number(seconds)).toBeGreaterThan(300 * 86_400);
});

test("the purge deletes links after 30 days, counters after 31, devices after 400", async () => {
  const { email, authenticated } = await bed.signUp();
  const { id } = authenticated.person;
  await bed.sql`
    insert into devices (person_id, hash, last_seen_at)
    select ${id}, decode(md5(days), 'hex'), now() - days::interval
      from unnest(array['399 days 23 hours', '400 days 1 hour']) days`;
  await bed.sql`
    insert into throttles (bucket, count, since)
    select 'purge:' || days, 1, now() - days::interval
      from unnest(array['30 days 23 hours', '31 days 1 hour']) days`;
  await bed.sql`
    insert into email_tokens (hash, person_id, purpose, email, expires_at)
    select decode(md5(days), 'hex'), ${id}, 'reset', ${email}, now() - days::interval
      from unnest(array['29 days 23 hours', '30 days 1 hour']) days`;
  await purgeSignIn(bed.db);
  const [left] = await bed.sql`
    select (select count(*)::int from devices
             where person_id = ${id} and last_seen_at < now() - interval '1 day') as devices,
           (select string_agg(bucket, ' ') from throttles where bucket like 'purge:%') as counters,
           (select count(*)::int from email_tokens
             where email = ${email} and purpose = 'reset') as links`;
  expect(left).toEqual({ devices: 1, counters: "purge:30 days 23 hours", links: 1 });
});

test("the purge deletes what has expired and keeps what is in use", async () => {
  const { cookies, authenticated } = await bed.signUp();
  const over = await bed.signUp();
  await age(over.authenticated.session.publicId, "8 days");
  await bed.sql`update email_tokens set expires_at = now() - interval '31 days'
                 where email = ${over.email}`;
  // T7: the purge does not depend on the clock of this process.
  setSystemTime(new Date(Date.now() + 730 * 86_400_000));
  await purgeSignIn(bed.db).finally(() => setSystemTime());
  const rows = await bed.sql`select public_id from sessions`;
  const ids = rows.map((row) => row.public_id);
  expect(ids).toContain(authenticated.session.publicId);
  expect(ids).not.toContain(over.authenticated.session.publicId);
  expect(await bed.sql`select 1 from email_tokens where email = ${over.email}`).toHaveLength(0);
  expect(await authenticate(cookies)).toBeDefined();
});
