// Keys as the console makes them: within the limits of the account, whichever door counts them.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { throttleLimits } from "@turnpike/auth";
import { type ApiKeyId, newId } from "@turnpike/base";
import { callProcedure, openTestApi, type TestApi } from "../open-test-api.ts";

let bed: TestApi;

beforeAll(async () => {
  bed = await openTestApi();
});
afterAll(() => bed.close());

test("the twenty-first key of an hour is refused with the time to wait", async () => {
  const context = await bed.contextOf(await bed.moveIn());
  const strict = { ...context, auth: { ...context.auth, throttles: throttleLimits } };
  const create = () =>
    callProcedure("keys.create", strict, { name: "Key", attemptId: newId<ApiKeyId>() });
  for (let n = 0; n < 20; n += 1) expect((await create()).ok).toBe(true);
  expect(await create()).toMatchObject({ ok: false, fault: "throttled" });
});
