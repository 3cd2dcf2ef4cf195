// People with second factors, for tests: their authenticator apps show a new code each time, at a time of the
// test's own, so that no code expires while it is used.
import { setSystemTime } from "bun:test";
import { callerAt, goodPassword, openTestAuth, type TestAuth } from "../open-test-auth.fixture.ts";
import { logIn } from "../session/log-in.ts";
import { logInWithFactor } from "../session/log-in-with-factor.ts";
import type { SignedIn } from "../session/open-session.ts";
import type { AuthenticatedSession } from "../session/session.ts";
import type { FactorProof } from "./check-factor.ts";
import { beginTotp, confirmTotp } from "./enroll-totp.ts";
import { totpCode, totpPeriod } from "./totp.ts";

const periodMs = 30_000;
export const caller = callerAt("203.0.113.1");

export type TestFactors = Awaited<ReturnType<typeof openTestFactors>>;

export async function openTestFactors() {
  const bed: TestAuth = await openTestAuth();
  let now = Math.floor(Date.now() / periodMs) * periodMs + periodMs / 2;
  setSystemTime(new Date(now));
  /** The next code that was not used yet. */
  const nextCode = (secret: string): string => {
    now += periodMs;
    setSystemTime(new Date(now));
    return totpCode(secret, totpPeriod());
  };
  const enroll = async (authenticated: AuthenticatedSession) => {
    const begun = await beginTotp(bed.db, bed.auth, authenticated);
    const code = nextCode(begun.secret);
    const input = { id: begun.id, code, name: "Phone" };
    const { recoveryCodes } = await confirmTotp(bed.db, bed.auth, authenticated, input);
    return { ...begun, code, recoveryCodes };
  };
  return {
    bed,
    nextCode,
    enroll,
    async signUpWithApp() {
      const person = await bed.signUp();
      return { ...person, app: await enroll(person.authenticated) };
    },
    /** Gives the password; the challenge, or nothing if that signs in. */
    async ask(email: string): Promise<string> {
      const input = { email, password: goodPassword };
      const { factor, setCookies } = await logIn(bed.db, bed.auth, caller, input);
      if ((factor === undefined) !== setCookies.length > 0) throw new Error("Signed in or asked?");
      return factor?.challenge ?? "";
    },
    answer(challenge: string, proof: FactorProof, auth = bed.auth): Promise<SignedIn> {
      return logInWithFactor(bed.db, auth, caller, { challenge, proof });
    },
    async close() {
      setSystemTime();
      await bed.close();
    },
  };
}

export function totp(code: string) {
  return { method: "totp", code } as const;
}

export function recovery(code: string) {
  return { method: "recovery_code", code } as const;
}
