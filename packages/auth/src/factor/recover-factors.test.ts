// Recovery without a second factor: only after the delay, only with the password and the mailed link, and never
// against the will of a person who reads the mail, is signed in, or still has a factor.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { faultCodeOf, goodPassword, type TestAuth } from "../open-test-auth.fixture.ts";
import { openTestFactors, recovery, type TestFactors } from "./open-test-factors.fixture.ts";
import {
  announceRecoveries,
  cancelRecovery,
  cancelRecoveryOf,
  findRecovery,
  finishRecovery,
  recoveryDelayMs,
  requestRecovery,
} from "./recover-factors.ts";

let opened: TestFactors;
let bed: TestAuth;

beforeAll(async () => {
  opened = await openTestFactors();
  bed = opened.bed;
});
afterAll(() => opened.close());

async function linkIn(email: string, kind: string, name: string): Promise<string> {
  const mail = (await bed.mailsTo(email)).find((one) => one.kind === kind);
  if (mail === undefined || !("link" in mail)) return "";
  return new URL(mail.link).searchParams.get(name) ?? "";
}

const announce = () => announceRecoveries(bed.db, "http://console.test");
const finish = (token: string, password = goodPassword) =>
  faultCodeOf(finishRecovery(bed.db, bed.auth, { token, password }));

/** As if three days had passed, give or take. */
async function wait(email: string, interval = "72 hours") {
  await bed.sql`update factor_recoveries set ready_at = ready_at - ${interval}::interval,
                       expires_at = expires_at - ${interval}::interval
                 where person_id = (select id from persons where email = ${email})`;
}

async function request() {
  const person = await opened.signUpWithApp();
  const challenge = await opened.ask(person.email);
  const { readyAt } = await requestRecovery(bed.db, bed.auth, { challenge });
  return { ...person, challenge, readyAt };
}

test("after three days the mailed link and the password remove every factor, and sign out everywhere", async () => {
  const { email, cookies, readyAt } = await request();
  expect(readyAt.getTime() - Date.now()).toBe(recoveryDelayMs);
  await announce();
  expect(await linkIn(email, "factor_recovery_ready", "finish")).toBe("");
  await wait(email, "73 hours");
  expect(await announce()).toBe(1);
  expect(await announce()).toBe(0);
  const token = await linkIn(email, "factor_recovery_ready", "finish");
  expect(await finish(token, "not the right one")).toBe("wrong_credentials");
  expect(await finish("no such token")).toBe("token_expired");
  expect(await finish(token)).toBe("no fault");
  expect(await finish(token)).toBe("token_expired");
  expect(await bed.auth.sessions.authenticate(cookies)).toBeUndefined();
  expect(await opened.ask(email)).toBe("");
  const kinds = (await bed.mailsTo(email)).map(({ kind }) => kind);
  expect(kinds).toContain("factor_removed");
});

test("needs the password first, and a second request neither mails again nor delays it", async () => {
  const unknown = requestRecovery(bed.db, bed.auth, { challenge: "no such challenge" });
  expect(await faultCodeOf(unknown)).toBe("token_expired");
  const { email, challenge, readyAt } = await request();
  const again = await requestRecovery(bed.db, bed.auth, { challenge });
  expect(again.readyAt).toEqual(readyAt);
  const kinds = (await bed.mailsTo(email)).map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === "factor_recovery_requested")).toHaveLength(1);
});

test("is canceled by the mailed link, in an open session, and by signing in with a factor", async () => {
  const ways = [
    async ({ email }: { email: string }) =>
      cancelRecovery(bed.db, await linkIn(email, "factor_recovery_requested", "cancel")),
    async ({ authenticated }: Awaited<ReturnType<typeof request>>) =>
      cancelRecoveryOf(bed.db, authenticated.person.id),
    async ({ email, app }: Awaited<ReturnType<typeof request>>) => {
      await opened.answer(await opened.ask(email), recovery(app.recoveryCodes[0] ?? ""));
    },
  ];
  for (const cancel of ways) {
    const one = await request();
    await cancel(one);
    expect(await findRecovery(bed.db, one.authenticated.person.id)).toBeUndefined();
    await wait(one.email, "73 hours");
    await announce();
    expect(await linkIn(one.email, "factor_recovery_ready", "finish")).toBe("");
    expect(await opened.ask(one.email)).not.toBe("");
  }
});

test("canceled after the delay, the link that completes it is dead; so it is a week later", async () => {
  for (const end of ["cancel", "expire"] as const) {
    const { email } = await request();
    await wait(email, "73 hours");
    await announce();
    const token = await linkIn(email, "factor_recovery_ready", "finish");
    const cancelToken = await linkIn(email, "factor_recovery_requested", "cancel");
    if (end === "cancel") await cancelRecovery(bed.db, cancelToken);
    else await wait(email, "8 days");
    expect(await finish(token)).toBe("token_expired");
    expect(await opened.ask(email)).not.toBe("");
    if (end === "cancel") {
      expect(await faultCodeOf(cancelRecovery(bed.db, cancelToken))).toBe("token_expired");
    }
  }
});
