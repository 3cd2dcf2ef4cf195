// When failed beats say that the database is away: not for the loss of a single connection.
import { afterEach, expect, test } from "bun:test";
import { StatementDeadline } from "../batches/bounded-connection.ts";
import { FailedBeats } from "./failed-beats.ts";

const hourMs = 3_600_000;
const failures = {
  silent: new StatementDeadline("no answer within 2000 ms"),
  reset: Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }),
  readOnly: Object.assign(new Error("read-only"), { code: "25006" }),
};

let failed: FailedBeats;
const open = () => {
  failed = new FailedBeats(hourMs, () => undefined);
  return failed;
};
afterEach(() => failed.stop());

test.each(["silent", "reset"] as const)("one failure alone may be brief: %s", (kind) => {
  open().add(failures[kind]);
  expect(failed.isAway).toBe(false);
  failed.add(failures[kind]);
  expect(failed.isAway).toBe(true);
});

test("a refused write is never brief", () => {
  open().add(failures.readOnly);
  expect(failed.isAway).toBe(true);
});

test("after a statement failed elsewhere a beat that hears nothing is enough", () => {
  open().suspect();
  expect(failed.isAway).toBe(false);
  failed.add(failures.silent);
  expect(failed.isAway).toBe(true);
});

test("connections that were all reset at the same time may be back at once", () => {
  open().suspect();
  failed.add(failures.reset);
  expect(failed.isAway).toBe(false);
});

test("a beat that succeeds ends the suspicion", () => {
  open().suspect();
  failed.clear();
  failed.add(failures.silent);
  expect(failed.isAway).toBe(false);
});
