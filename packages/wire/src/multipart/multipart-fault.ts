// How a multipart body is refused: what breaks its syntax is 400, what exceeds a bound is 413 with the bound in the
// message, and both name the field as soon as it is known.
import { Fault } from "@turnpike/base";

/** The bytes are no multipart/form-data; `problem` completes the message. */
export function brokenMultipart(problem: string, param?: string): Fault {
  const where = param === undefined ? "" : ` of the part '${param}'`;
  return new Fault(
    "malformed_request",
    `We could not parse the multipart body of your request: ${problem}${where}.`,
    param === undefined ? {} : { param },
  );
}

/** The connection ended, or the body did before its closing boundary. */
export function truncatedMultipart(): Fault {
  return brokenMultipart("it ended before its closing boundary");
}

export function bodyTooLarge(maxBytes: number): Fault {
  return new Fault("request_too_large", `The request body is larger than ${sizeText(maxBytes)}.`);
}

export function partTooLarge(param: string, kind: "field" | "file", maxBytes: number): Fault {
  const sentence = `The ${kind} '${param}' is larger than ${sizeText(maxBytes)}.`;
  return new Fault("request_too_large", sentence, { param });
}

export function tooManyParts(max: number): Fault {
  const sentence = `The request body has more than ${max} parts.`;
  return new Fault("request_too_large", sentence);
}

/** A second value where there may be one. */
export function givenTwice(param: string): Fault {
  return new Fault("invalid_value", `Invalid '${param}': it is given more than once.`, { param });
}

/** A file in a field that takes none. */
export function unexpectedFile(param: string, fields: readonly string[]): Fault {
  const names = fields.map((field) => `'${field}'`).join(", ");
  const sentence = `Unknown parameter: '${param}'. Files of this request belong in: ${names}.`;
  return new Fault("unknown_parameter", sentence, { param });
}

function sizeText(bytes: number): string {
  return bytes < 1_048_576 ? `${bytes / 1024} KiB` : `${bytes / 1_048_576} MiB`;
}
