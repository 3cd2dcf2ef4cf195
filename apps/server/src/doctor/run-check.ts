// Makes one check of an installation so that it ends: what it throws, or that it does not answer, is found as well.
import { withDeadline } from "@turnpike/base";
import { startChecks } from "../check-start.ts";
import type { Config } from "../config.ts";
import { sentencesOf } from "../describe-start-failure.ts";
import { type Check, error, type Finding, messageOf } from "./finding.ts";

/** Longer than everything in a check that has a deadline of its own. */
const checkMaxMs = 60_000;

export function runCheck(name: string, check: Check): Promise<readonly Finding[]> {
  return withDeadline(
    check(),
    checkMaxMs,
    (limitMs) => [error(name, `Not checked: there was no answer within ${limitMs / 1_000} s.`)],
    (thrown) => [error(name, `Not checked (${messageOf(thrown)}).`)],
  );
}

/** Nothing where a start would not refuse. */
export async function repeatStartCheck(
  name: keyof typeof startChecks,
  config: Config,
): Promise<readonly Finding[]> {
  try {
    await startChecks[name](config);
    return [];
  } catch (thrown) {
    return sentencesOf(thrown).map((sentence) => error(name, sentence));
  }
}
