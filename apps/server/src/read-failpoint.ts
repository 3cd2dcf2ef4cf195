// Reads the place at which a server of a test kills itself (`FAILPOINT`).
import { type FailpointName, failpoints } from "@turnpike/base";

/** Which passage of it is the last one. */
export type FailpointSetting = { readonly name: FailpointName; readonly nth: number };

/** Adds to `mistakes` what is no failpoint. */
export function readFailpoint(
  text: string | undefined,
  mistakes: string[],
): FailpointSetting | undefined {
  if (text === undefined) return undefined;
  const [wanted, nth] = text.split(":");
  const name = failpoints.find((known) => known === wanted);
  if (name !== undefined) return { name, nth: Number(nth) };
  mistakes.push(`FAILPOINT: must be one of ${failpoints.join(", ")}.`);
  return undefined;
}
