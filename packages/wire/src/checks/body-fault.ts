// How a request body is refused: OpenAI's codes, messages and `param` paths.
// Every refusal of the parser is built here, so that the wording stays consistent.
import { Fault } from "@turnpike/base";

/** The text is not valid JSON. */
export function brokenJson(): Fault {
  return new Fault(
    "invalid_json",
    "We could not parse the JSON body of your request. The body must be one JSON object in UTF-8, " +
      "sent with `Content-Type: application/json`; check for a trailing comma, an unquoted key or " +
      "a body that was cut off.",
  );
}

/** JSON that would take more work to read than any real request needs. */
export function oversizedJson(what: string): Fault {
  return new Fault("invalid_json", `We could not parse the JSON body of your request: it ${what}.`);
}

export function wrongType(param: string, expected: string, value: unknown): Fault {
  return new Fault(
    "invalid_type",
    `Invalid type for '${param}': expected ${expected}, but got ${describe(value)} instead.`,
    { param },
  );
}

export function missing(param: string): Fault {
  return new Fault("missing_required_parameter", `Missing required parameter: '${param}'.`, {
    param,
  });
}

export function notSupported(param: string, value: string, supported: readonly string[]): Fault {
  const names = supported.map((name) => `'${name}'`);
  const last = names.pop() ?? "";
  const list = names.length === 0 ? last : `${names.join(", ")} and ${last}`;
  const shown = value.length > 100 ? `${value.slice(0, 100)}…` : value;
  return new Fault("invalid_value", `Invalid value: '${shown}'. Supported values are: ${list}.`, {
    param,
    quoted: shown,
  });
}

/** An invalid value of the right type: `problem` completes the message. */
export function badValue(param: string, problem: string): Fault {
  return new Fault("invalid_value", `Invalid '${param}': ${problem}`, { param });
}

type Kind = "integer" | "decimal";

export function belowMinimum(param: string, kind: Kind, min: number, value: number): Fault {
  const bounds = `Expected a value >= ${min}, but got ${value} instead.`;
  return new Fault(
    `${kind}_below_min_value`,
    `Invalid '${param}': ${kind} below minimum value. ${bounds}`,
    { param },
  );
}

export function aboveMaximum(param: string, kind: Kind, max: number, value: number): Fault {
  const bounds = `Expected a value <= ${max}, but got ${value} instead.`;
  return new Fault(
    `${kind}_above_max_value`,
    `Invalid '${param}': ${kind} above maximum value. ${bounds}`,
    { param },
  );
}

export function tooLong(param: string, max: number, length: number): Fault {
  return new Fault(
    "string_above_max_length",
    `Invalid '${param}': string too long. Expected a string with maximum length ${max}, ` +
      `but got a string with length ${length} instead.`,
    { param },
  );
}

export function tooShort(param: string): Fault {
  return new Fault(
    "string_below_min_length",
    `Invalid '${param}': empty string. Expected a string with minimum length 1, ` +
      "but got an empty string instead.",
    { param },
  );
}

export function tooMany(param: string, max: number, length: number): Fault {
  return new Fault(
    "array_above_max_length",
    `Invalid '${param}': array too long. Expected an array with maximum length ${max}, ` +
      `but got an array with length ${length} instead.`,
    { param },
  );
}

export function emptyArray(param: string): Fault {
  return new Fault(
    "empty_array",
    `Invalid '${param}': empty array. Expected an array with minimum length 1, ` +
      "but got an empty array instead.",
    { param },
  );
}

/** A rule between fields; OpenAI answers these with code null (BerriAI/litellm#5803). */
export function brokenRule(param: string, sentence: string): Fault {
  return new Fault("malformed_request", sentence, { param });
}

/** A part of a request that is recognized but not supported. */
export function unsupported(param: string, sentence: string): Fault {
  return new Fault("unsupported_parameter", `Unsupported parameter: '${param}'. ${sentence}`, {
    param,
  });
}

/** An id that was not made here. */
export function unknownFile(param: string): Fault {
  return unsupported(
    param,
    "It is not the id of a file that was uploaded here, by POST /v1/files. Send the content itself.",
  );
}

function describe(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return value.length === 0 ? "an empty array" : "an array";
  if (typeof value === "number") return Number.isInteger(value) ? "an integer" : "a decimal number";
  if (typeof value === "object") return "an object";
  return `a ${typeof value}`;
}
