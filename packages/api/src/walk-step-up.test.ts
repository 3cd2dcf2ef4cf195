// Walks all procedures and proves step-up: each marked one is refused without a recent
// proof of identity, the others never ask for one, and every procedure that must be marked is.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  callProcedure,
  type Member,
  memberPassword,
  openTestApi,
  procedureNames,
  type TestApi,
} from "./open-test-api.fixture.ts";
import { fieldsOf, metaOf } from "./read-procedure.fixture.ts";
import type { Sample } from "./walk-sample.fixture.ts";
import { samples } from "./walk-samples.fixture.ts";

let api: TestApi;

beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

function sampleOf(name: string): Sample {
  return samples[name] ?? {};
}

async function call(name: string, member: Member, input: unknown) {
  return callProcedure(name, await api.contextOf(member), input);
}

describe.each(procedureNames)("%s", (name) => {
  const { stepUp, risky } = sampleOf(name);

  test("is marked as its sample says, and must be if it touches the credentials of the account", () => {
    expect(metaOf(name).stepUp).toBe(stepUp);
    if (isSensitive(name)) expect(stepUp).toBeDefined();
  });

  if (stepUp === undefined) {
    test("is served however long ago the password was given", async () => {
      const member = await api.addMember();
      await forgetProof(member);
      const outcome = await call(name, member, sampleOf(name).input?.(member.ownedIds));
      expect(outcome.ok ? "ok" : outcome.fault).not.toBe("step_up_required");
    });
    return;
  }

  test("is refused ten minutes after the password was given, and works once it is given again", async () => {
    const member = await api.addMember();
    const { ownedIds } = member;
    const input = (risky ?? sampleOf(name).input)?.(ownedIds);
    await forgetProof(member);
    expect(await call(name, member, input)).toMatchObject({
      ok: false,
      fault: "step_up_required",
    });
    const proof = { method: "password", password: "not my password" };
    expect(await call("auth.stepUp", member, proof)).toMatchObject({
      fault: "wrong_credentials",
    });
    expect(await call(name, member, input)).toMatchObject({ fault: "step_up_required" });
    const right = { ...proof, password: memberPassword };
    expect(await call("auth.stepUp", member, right)).toMatchObject({ ok: true });
    const outcome = await call(name, member, input);
    expect(outcome.ok ? "ok" : outcome.fault).not.toBe("step_up_required");
  });

  test("marked sometimes, it is served for inputs without risk", async () => {
    if (stepUp !== "sometimes") return expect(stepUp).toBe("always");
    const member = await api.addMember();
    await forgetProof(member);
    const outcome = await call(name, member, sampleOf(name).input?.(member.ownedIds));
    expect(outcome.ok ? "ok" : outcome.fault).toBe("ok");
  });
});

/**
 * What a thief of a session must not do: replace the password or address, see a secret again, or
 * pay with a saved card. A new procedure with such a name or field fails until it is marked.
 */
function isSensitive(name: string): boolean {
  if (sampleOf(name).public === true || name === "auth.stepUp") return false;
  // A new key gives no access beyond the session's own; a list, a name and an end give none.
  if (
    [
      "keys.create",
      "factors.list",
      "factors.rename",
      "factors.ask",
      "factors.cancelRecovery",
      "wallet.autoTopUp",
      "wallet.removeCard",
    ].includes(name)
  )
    return false;
  const names = /password|email|rotate|reveal|show|secret|factor|passkey|card|payment|auto|role/i;
  return names.test(name) || fieldsOf(name).some((field) => /password|^limits$/i.test(field));
}

/** As if the password had been given longer ago than step-up accepts. */
async function forgetProof({ ownedIds }: Member): Promise<void> {
  await api.sql`update sessions set password_at = now() - interval '10 minutes 1 second'
                 where public_id = ${ownedIds.sessionId}`;
}
