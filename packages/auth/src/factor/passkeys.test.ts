// Passkeys: whose answers are believed. An answer counts for one challenge, one site, one person and one time.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  callerAt,
  cookieHeader,
  faultCodeOf,
  goodPassword,
  openTestAuth,
  type TestAuth,
} from "../open-test-auth.fixture.ts";
import { logIn } from "../session/log-in.ts";
import { logInWithFactor } from "../session/log-in-with-factor.ts";
import { logInWithPasskey } from "../session/log-in-with-passkey.ts";
import { stepUp } from "../session/step-up.ts";
import { removeFactor } from "./change-factors.ts";
import { addPasskey, beginPasskey } from "./enroll-passkey.ts";
import { listFactors } from "./list-factors.ts";
import { atHome, makeSoftPasskey } from "./soft-passkey.fixture.ts";
import { askOwnPasskey, askPasskey } from "./use-passkey.ts";

let bed: TestAuth;
const caller = callerAt("203.0.113.1");

beforeAll(async () => {
  bed = await openTestAuth();
});
afterAll(() => bed.close());

async function signUpWithPasskey() {
  const person = await bed.signUp();
  const passkey = makeSoftPasskey();
  const { challenge } = await beginPasskey(bed.db, bed.auth, person.authenticated);
  const credential = passkey.create(challenge);
  const { recoveryCodes } = await addPasskey(bed.db, bed.auth, person.authenticated, {
    name: "Laptop",
    credential,
  });
  return { ...person, passkey, credential, recoveryCodes };
}

const askAny = async () => (await askPasskey(bed.db, bed.auth, caller, undefined)).challenge;
const give = (credential: string) => logInWithPasskey(bed.db, bed.auth, caller, { credential });
const outcomeOf = (credential: string) => faultCodeOf(give(credential));

describe("signing in with a passkey alone", () => {
  test("is the person whose passkey it is, without their password", async () => {
    const { email, passkey, recoveryCodes } = await signUpWithPasskey();
    expect(recoveryCodes).toHaveLength(10);
    const { setCookies } = await give(passkey.answer(await askAny()));
    const session = await bed.auth.sessions.authenticate(cookieHeader(setCookies));
    expect(session?.person).toMatchObject({ email, factors: ["passkey"] });
  });

  test("takes an answer once, within ten minutes, to a challenge of this server", async () => {
    const { passkey } = await signUpWithPasskey();
    const answer = passkey.answer(await askAny());
    expect(await outcomeOf(answer)).toBe("no fault");
    expect(await outcomeOf(answer)).toBe("wrong_credentials");
    const own = Buffer.from("a challenge an attacker chose").toString("base64url");
    expect(await outcomeOf(passkey.answer(own))).toBe("wrong_credentials");
    const late = passkey.answer(await askAny());
    await bed.sql`update factor_challenges set expires_at = now() - interval '1 second'`;
    expect(await outcomeOf(late)).toBe("wrong_credentials");
  });

  test("given twice at the same moment signs in once", async () => {
    const { passkey } = await signUpWithPasskey();
    const answer = passkey.answer(await askAny());
    const outcomes = await Promise.all([1, 2, 3].map(() => outcomeOf(answer)));
    expect(outcomes.sort()).toEqual(["no fault", "wrong_credentials", "wrong_credentials"]);
  });

  test("refuses answers from another site, of an unverified user, of a copy, and nonsense", async () => {
    const { passkey } = await signUpWithPasskey();
    for (const place of [
      { ...atHome, origin: "http://console.test.evil.example" },
      { ...atHome, host: "evil.example" },
      { ...atHome, isVerified: false },
    ]) {
      expect(await outcomeOf(passkey.answer(await askAny(), place))).toBe("wrong_credentials");
    }
    expect(await outcomeOf(makeSoftPasskey().answer(await askAny()))).toBe("wrong_credentials");
    expect(await outcomeOf(passkey.answer(await askAny()))).toBe("no fault");
    passkey.rewind();
    expect(await outcomeOf(passkey.answer(await askAny()))).toBe("wrong_credentials");
    for (const nonsense of ["", "{}", "null", "[]", '{"id":5}', `{"id":"x","response":7}`]) {
      expect(await outcomeOf(nonsense)).toBe("wrong_credentials");
    }
  });

  test("ends when the passkey is removed", async () => {
    const { passkey, authenticated } = await signUpWithPasskey();
    const listed = await listFactors(bed.db, bed.auth, authenticated.person.id);
    const id = listed.factors[0]?.id;
    if (id === undefined) throw new Error("There is no passkey.");
    await removeFactor(bed.db, bed.auth, authenticated, id);
    expect(await outcomeOf(passkey.answer(await askAny()))).toBe("wrong_credentials");
  });
});

describe("a passkey as the second factor", () => {
  async function askAfterPassword(email: string) {
    const { factor } = await logIn(bed.db, bed.auth, caller, { email, password: goodPassword });
    const challenge = factor?.challenge ?? "";
    const options = await askPasskey(bed.db, bed.auth, caller, challenge);
    const send = (credential: string) =>
      faultCodeOf(
        logInWithFactor(bed.db, bed.auth, caller, {
          challenge,
          proof: { method: "passkey", credential },
        }),
      );
    return { factor, options, send };
  }

  test("is asked for after the password, and needs no verified user", async () => {
    const { email, passkey } = await signUpWithPasskey();
    const { factor, options, send } = await askAfterPassword(email);
    expect(factor?.methods).toEqual(["passkey", "recovery_code"]);
    expect(options.allowCredentials).toHaveLength(1);
    const place = { ...atHome, isVerified: false };
    expect(await send(passkey.answer(options.challenge, place))).toBe("no fault");
  });

  test("must be the person's own, and answer what they were asked", async () => {
    const ada = await signUpWithPasskey();
    const eve = await signUpWithPasskey();
    const { options, send } = await askAfterPassword(ada.email);
    expect(await send(eve.passkey.answer(options.challenge))).toBe("wrong_credentials");
    const eves = await askAfterPassword(eve.email);
    expect(await send(ada.passkey.answer(eves.options.challenge))).toBe("wrong_credentials");
    // The challenge of a sign-in without address is nobody's.
    expect(await send(ada.passkey.answer(await askAny()))).toBe("wrong_credentials");
    // And that of a person does not sign in by itself.
    expect(await outcomeOf(ada.passkey.answer(options.challenge))).toBe("wrong_credentials");
    expect(await send(ada.passkey.answer(options.challenge))).toBe("no fault");
  });

  test("steps up in the session that asked", async () => {
    const { authenticated, passkey } = await signUpWithPasskey();
    const { challenge } = await askOwnPasskey(bed.db, bed.auth, authenticated.person.id);
    const proof = { method: "passkey", credential: passkey.answer(challenge) } as const;
    expect(await faultCodeOf(stepUp(bed.db, bed.auth, authenticated, proof))).toBe("no fault");
    expect(await faultCodeOf(stepUp(bed.db, bed.auth, authenticated, proof))).toBe(
      "wrong_credentials",
    );
  });
});

describe("adding a passkey", () => {
  test("needs an answer to the person's own challenge, from this site, once", async () => {
    const ada = await bed.signUp();
    const eve = await bed.signUp();
    const begin = async () => (await beginPasskey(bed.db, bed.auth, ada.authenticated)).challenge;
    const add = (credential: string, by = ada) =>
      faultCodeOf(addPasskey(bed.db, bed.auth, by.authenticated, { name: "Mine", credential }));
    const passkey = makeSoftPasskey();
    expect(await add(passkey.create(await begin()), eve)).toBe("wrong_credentials");
    const elsewhere = { ...atHome, origin: "https://evil.example" };
    expect(await add(passkey.create(await begin(), elsewhere))).toBe("wrong_credentials");
    expect(await add(passkey.create(await askAny()))).toBe("wrong_credentials");
    const credential = passkey.create(await begin());
    expect(await add(credential)).toBe("no fault");
    expect(await add(credential)).toBe("wrong_credentials");
    expect(await add(passkey.create(await begin()))).toBe("conflict");
    const { excludeCredentials } = await beginPasskey(bed.db, bed.auth, ada.authenticated);
    expect(excludeCredentials).toHaveLength(1);
  });
});
