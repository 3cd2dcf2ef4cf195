// Reads the period that a command looks back: --days, by default 30.

import { Fault } from "@turnpike/base";

const dayMs = 86_400_000;
const defaultDays = 30;

/** Throws `invalid_value`. */
export function readSince(days: string | undefined): Date {
  const count = days === undefined ? defaultDays : Number(days);
  if (Number.isInteger(count) && count >= 1 && count <= 3_650) {
    return new Date(Date.now() - count * dayMs);
  }
  throw new Fault("invalid_value", "Give a whole number from 1 to 3650.", { param: "days" });
}
