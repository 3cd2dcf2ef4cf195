// Our refusals of a request's fields in the wording of Anthropic's API: the path with dots, then what
// the value should be.
import type { FaultCode } from "@turnpike/base";

/** `messages[0].content` as `messages.0.content`. */
function dotted(param: string): string {
  return param.replaceAll(/\[(\d+)\]/g, ".$1");
}

const kinds: readonly (readonly [RegExp, string])[] = [
  [/^an array/, "a valid list"],
  [/^one of a string or (?:an )?array/, "a valid string or list"],
  [/^a string/, "a valid string"],
  [/^an integer/, "a valid integer"],
  [/^a decimal/, "a valid number"],
  [/^a boolean/, "a valid boolean"],
  [/^an object/, "an object"],
];

function inputShouldBe(expected: string): string {
  const kind = kinds.find(([shape]) => shape.test(expected))?.[1] ?? expected;
  return `Input should be ${kind}`;
}

function between(text: string, before: string, after: string): string | undefined {
  const start = text.indexOf(before) + before.length;
  const end = text.indexOf(after, start);
  return start < before.length || end < 0 ? undefined : text.slice(start, end);
}

const bound = (word: string) => (message: string) =>
  `Input should be ${word} than or equal to ${/[<>]= (\S+),/.exec(message)?.[1] ?? "its limit"}`;

/** What follows the path, derived from our own message; undefined keeps the message. */
const rewrites: Partial<Record<FaultCode, (message: string) => string | undefined>> = {
  missing_required_parameter: () => "Field required",
  invalid_type: (message) => {
    const expected = between(message, "expected ", ", but got");
    return expected === undefined ? undefined : inputShouldBe(expected);
  },
  invalid_value: (message) => {
    const supported = /Supported values are: (.+)\.$/.exec(message)?.[1];
    return supported === undefined
      ? undefined
      : `Input should be ${supported.replace(/ and ([^,]+)$/, " or $1")}`;
  },
  integer_above_max_value: bound("less"),
  decimal_above_max_value: bound("less"),
  integer_below_min_value: bound("greater"),
  decimal_below_min_value: bound("greater"),
  string_below_min_length: () => "String should have at least 1 character",
  empty_array: () => "List should have at least 1 item",
};

/** The message for a Fault that names a field. */
export function anthropicWording(code: FaultCode, param: string, message: string): string {
  const path = dotted(param);
  const rewritten = rewrites[code]?.(message);
  if (rewritten !== undefined) return `${path}: ${rewritten}`;
  if (message.includes(param)) return message.replaceAll(param, path);
  return message.includes(path) ? message : `${path}: ${message}`;
}
