// Keys as the console creates them: within the limits of the account, whichever route counts them.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { throttleLimits } from "@turnpike/auth";
import { type ApiKeyId, newId } from "@turnpike/base";
import { callProcedure, openTestApi, type TestApi } from "../open-test-api.fixture.ts";

let bed: TestApi;

beforeAll(async () => {
  bed = await openTestApi();
});
afterAll(() => bed.close());

/** Of an organization that may make three keys an hour. */
async function openStrict() {
  const context = await bed.contextOf(await bed.addMember());
  const keyPerOrganization = { ...throttleLimits.keyPerOrganization, max: 3 };
  const auth = { ...context.auth, throttles: { ...throttleLimits, keyPerOrganization } };
  return { ...context, auth };
}

test("a key beyond those of an hour is refused with the time to wait", async () => {
  const strict = await openStrict();
  const create = () =>
    callProcedure("keys.create", strict, { name: "Key", attemptId: newId<ApiKeyId>() });
  for (let n = 0; n < 3; n += 1) expect((await create()).ok).toBe(true);
  expect(await create()).toMatchObject({ ok: false, fault: "throttled" });
});

test("a rotation counts as a new key, since it makes a secret and sends messages", async () => {
  const strict = await openStrict();
  const id = newId<ApiKeyId>();
  const rotate = () => callProcedure("keys.rotate", strict, { id, graceSeconds: 0 });
  const made = await callProcedure("keys.create", strict, { name: "Key", attemptId: id });
  expect(made.ok).toBe(true);
  for (let n = 0; n < 2; n += 1) expect((await rotate()).ok).toBe(true);
  expect(await rotate()).toMatchObject({ ok: false, fault: "throttled" });
});

test("every change of a key is kept, readable for its owner and without any secret", async () => {
  const context = await bed.contextOf(await bed.addMember());
  const ask = async (path: string, input: object) => {
    const answer = await callProcedure(path, context, input);
    if (!answer.ok) throw new Error(`${path}: ${answer.fault}`);
    return answer.value;
  };
  const attemptId = newId<ApiKeyId>();
  await ask("keys.create", { name: "ci", attemptId });
  const detail = () => ask("keys.detail", { id: attemptId, timeZone: "UTC" });
  expect(await detail()).toMatchObject({ changes: [] });
  await ask("keys.update", {
    id: attemptId,
    name: "ci 2",
    limits: { spendLimitsUsd: { month: "10.50" }, allowedModels: ["a/one", "a/two"] },
  });
  await ask("keys.setDisabled", { id: attemptId, disabled: true });
  await ask("keys.setDisabled", { id: attemptId, disabled: false });
  await ask("keys.rotate", { id: attemptId, graceSeconds: 0 });
  await ask("keys.revoke", { id: attemptId });
  const at = expect.any(String);
  expect(await detail()).toMatchObject({
    changes: [
      { at, lines: [{ what: "revoked", before: null, after: at }] },
      { at, lines: [{ what: "secret", before: null, after: null }] },
      { at, lines: [{ what: "disabled", before: at, after: null }] },
      { at, lines: [{ what: "disabled", before: null, after: at }] },
      {
        at,
        lines: [
          { what: "name", before: "ci", after: "ci 2" },
          { what: "monthSpend", before: null, after: "10.5" },
          { what: "allowedModels", before: null, after: "a/one, a/two" },
        ],
      },
    ],
  });
});

test("the last fifty changes of a key are shown, the newest first", async () => {
  const context = await bed.contextOf(await bed.addMember());
  const id = newId<ApiKeyId>();
  await callProcedure("keys.create", context, { name: "name 0", attemptId: id });
  for (let n = 1; n <= 51; n += 1) {
    expect((await callProcedure("keys.update", context, { id, name: `name ${n}` })).ok).toBe(true);
  }
  const at = expect.any(String);
  const newestFirst = Array.from({ length: 50 }, (_, index) => 51 - index);
  expect(await callProcedure("keys.detail", context, { id, timeZone: "UTC" })).toMatchObject({
    value: {
      changes: newestFirst.map((n) => ({
        at,
        lines: [{ what: "name", before: `name ${n - 1}`, after: `name ${n}` }],
      })),
    },
  });
});
