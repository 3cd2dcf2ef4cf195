// How the scripted upstream refuses a request that a hosted provider would refuse, in OpenAI's words and shape. It is
// strict on purpose: what the gateway sends by mistake must not succeed here.

/** Answered with its status and body. */
export class Refusal extends Error {
  constructor(
    message: string,
    readonly code: string | null,
    readonly param: string | null = null,
    readonly status = 400,
    readonly type = "invalid_request_error",
  ) {
    super(message);
  }

  get body(): unknown {
    const { message, type, param, code } = this;
    return { error: { message, type, param, code } };
  }
}

export type Check = (value: unknown, param: string) => void;

/** What a request may have; `required` names those it must have. Null counts as absent. */
export function checkFields(
  body: Readonly<Record<string, unknown>>,
  checks: Readonly<Record<string, Check>>,
  required: readonly string[],
): void {
  for (const name of required) {
    if ((body[name] ?? null) !== null) continue;
    throw new Refusal(`Missing required parameter: '${name}'.`, "missing_required_parameter", name);
  }
  for (const [name, value] of Object.entries(body)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (!check) throw new Refusal(`Unknown parameter: '${name}'.`, "unknown_parameter", name);
    if (value !== null) check(value, name);
  }
}

export function wrongType(param: string, expected: string): Refusal {
  return new Refusal(`Invalid type for '${param}': expected ${expected}.`, "invalid_type", param);
}

export function badValue(param: string, problem: string): Refusal {
  return new Refusal(`Invalid value for '${param}': ${problem}`, "invalid_value", param);
}

export const isBoolean: Check = (value, param) => {
  if (typeof value !== "boolean") throw wrongType(param, "a boolean");
};

export function isText(maxLength = Number.POSITIVE_INFINITY): Check {
  return (value, param) => {
    if (typeof value !== "string") throw wrongType(param, "a string");
    if (value.length <= maxLength) return;
    const problem = `Invalid '${param}': string too long. Expected at most ${maxLength} characters.`;
    throw new Refusal(problem, "string_above_max_length", param);
  };
}

export function isNumber(min: number, max: number, kind: "integer" | "decimal"): Check {
  return (value, param) => {
    const isRight = typeof value === "number" && (kind === "decimal" || Number.isInteger(value));
    if (!isRight) throw wrongType(param, kind === "integer" ? "an integer" : "a number");
    if (value < min) {
      const problem = `Invalid '${param}': expected a value >= ${min}, but got ${value} instead.`;
      throw new Refusal(problem, `${kind}_below_min_value`, param);
    }
    if (value > max) {
      const problem = `Invalid '${param}': expected a value <= ${max}, but got ${value} instead.`;
      throw new Refusal(problem, `${kind}_above_max_value`, param);
    }
  };
}

export function isOneOf(...supported: readonly string[]): Check {
  return (value, param) => {
    if (typeof value !== "string") throw wrongType(param, "a string");
    if (supported.includes(value)) return;
    throw badValue(param, `'${value}'. Supported values are: ${supported.join(", ")}.`);
  };
}

export function isList(item: Check, { min = 1, max = Number.POSITIVE_INFINITY } = {}): Check {
  return (value, param) => {
    if (!Array.isArray(value)) throw wrongType(param, "an array");
    if (value.length < min) {
      throw new Refusal(`Invalid '${param}': empty array.`, "empty_array", param);
    }
    if (value.length > max) {
      const problem = `Invalid '${param}': array too long. Expected at most ${max} items.`;
      throw new Refusal(problem, "array_above_max_length", param);
    }
    for (const [index, one] of value.entries()) item(one, `${param}[${index}]`);
  };
}
