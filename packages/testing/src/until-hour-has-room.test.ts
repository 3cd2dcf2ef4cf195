// Only the last seconds of an hour are waited for, and only until they are over.
import { afterEach, expect, setSystemTime, spyOn, test } from "bun:test";
import { untilHourHasRoom } from "./until-hour-has-room.ts";

afterEach(() => setSystemTime());

test.each([
  ["23:59:55.001", [5_000]],
  ["23:59:59.999", [2]],
  ["23:59:55.000", []],
  ["00:00:00.000", []],
] as const)("a test that begins at %s waits for %j milliseconds", async (time, waits) => {
  setSystemTime(new Date(`2026-03-31T${time}Z`));
  const sleep = spyOn(Bun, "sleep").mockResolvedValue(undefined);
  await untilHourHasRoom(5_000);
  const slept = sleep.mock.calls.map(([ms]) => ms);
  sleep.mockRestore();
  expect<unknown>(slept).toEqual(waits);
});
