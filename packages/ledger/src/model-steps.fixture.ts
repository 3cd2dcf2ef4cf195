// For tests: the steps of random histories, as they are drawn.
import fc from "fast-check";
import { type AcquisitionFault, acquisitionFaults } from "./hold-during-fault.fixture.ts";

export type HoldStep = {
  process: number;
  key: number;
  want: bigint;
  floor: bigint;
  kind: "clamp" | "exact" | "halve";
  /** What happens while the database is asked. */
  fault: AcquisitionFault | "none";
};

export type ChargeStep = { pick: number; percent: bigint; state: "settled" | "released" };

export const amount = (max: bigint) => fc.bigInt({ min: 0n, max });
const pick = fc.nat({ max: 30 });
export const holdSteps: fc.Arbitrary<HoldStep> = fc.record({
  process: fc.nat({ max: 1 }),
  key: fc.nat({ max: 4 }),
  // Both near zero, where leases are exact, and far from it, where they reserve in advance.
  want: fc.oneof(amount(1_000n), amount(50_000n)),
  floor: amount(600n),
  kind: fc.constantFrom("clamp" as const, "exact" as const, "halve" as const),
  fault: fc.oneof(
    { weight: 2, arbitrary: fc.constant("none" as const) },
    fc.constantFrom(...acquisitionFaults),
  ),
});
export const chargeSteps: fc.Arbitrary<ChargeStep> = fc.record({
  pick,
  percent: fc.constantFrom(0n, 30n, 100n, 250n),
  state: fc.constantFrom("settled" as const, "settled" as const, "released" as const),
});

export function describe(step: HoldStep | ChargeStep): string {
  return Object.entries(step)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");
}
