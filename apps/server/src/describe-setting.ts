// Says what is wrong with one environment variable, in a sentence that names what is accepted. Values are not
// repeated, because they may be secrets.
import type { z } from "zod";

export type Environment = Readonly<Record<string, string | undefined>>;

export function describeSetting(issue: z.core.$ZodIssue, given: Environment): string {
  const name = issue.path.join(".");
  if (given[name] === undefined) return `${name}: is required but not set.`;
  return `${name}: ${describeExpectation(issue)}.`;
}

function describeExpectation(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.expected === "int" ? "must be a whole number" : "must be a number";
    case "invalid_value":
      return "expected" in issue && issue.expected === "stringbool"
        ? "must be true or false"
        : `must be one of ${issue.values.join(", ")}`;
    case "too_small":
      if (issue.origin === "string") return issue.message;
      return `must be ${issue.inclusive ? "at least" : "more than"} ${issue.minimum}`;
    case "too_big":
      if (issue.origin === "string") return `must have at most ${issue.maximum} characters`;
      return `must be at most ${issue.maximum}`;
    default:
      return issue.message;
  }
}
