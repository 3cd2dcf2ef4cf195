import { expect, test } from "bun:test";
import { leaseTimes } from "@turnpike/ledger";
import { largeLimits, streamLimits, wholeLimits } from "@turnpike/providers";

test("no call runs longer than the ledger expects of a lease whose hour is over", () => {
  for (const { totalMs } of [streamLimits, wholeLimits, largeLimits]) {
    expect(totalMs).toBeLessThanOrEqual(leaseTimes.callMs);
  }
});
