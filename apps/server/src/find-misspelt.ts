// Variables that nobody reads and that are spelt nearly like one that is read: what they were meant to set has its default.
import { editDistance } from "@turnpike/base";
import type { Environment } from "./describe-setting.ts";

const distanceMax = 2;
/** Two letters make any short name another one. */
const nameCharsMin = 8;

/** A sentence for each. */
export function findMisspelt(
  names: readonly string[],
  environment: Environment,
): readonly string[] {
  const known = new Set(names);
  const unknown = Object.keys(environment).filter((name) => !known.has(name));
  return unknown.flatMap((name) => {
    const [meant] = names
      .filter((one) => one.length >= nameCharsMin && environment[one] === undefined)
      .map((one) => ({ one, distance: editDistance(one, name.toUpperCase()) }))
      .filter(({ distance }) => distance <= distanceMax)
      .sort((a, b) => a.distance - b.distance);
    if (meant === undefined) return [];
    return [`${name}: is not a setting, so ${meant.one} has its default; rename or unset it.`];
  });
}
