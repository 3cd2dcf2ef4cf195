// Refusals of the translation of a request, with the field as its caller named it: in `param` and in
// the message.
import { Fault } from "@turnpike/base";
import type { ParsedRequest } from "../protocol/pivot.ts";

/** The same refusal if the request was not translated, or if it already names the caller's field. */
export function nameForCaller(fault: Fault, request: ParsedRequest): Fault {
  const { param } = fault.details;
  if (param === undefined) return fault;
  const own = callerParamOf(request)?.(param) ?? param;
  return own === param ? fault : renameParam(fault, param, own);
}

/** The caller's own names for `fields`, each once. */
export function namesForCaller(
  fields: readonly string[],
  request: ParsedRequest,
): readonly string[] {
  if (fields.length === 0) return fields;
  const callerParam = callerParamOf(request);
  return callerParam === undefined ? fields : [...new Set(fields.map(callerParam))];
}

/** Undefined for a request that was not translated. */
function callerParamOf(request: ParsedRequest): ((param: string) => string) | undefined {
  return "callerParam" in request ? request.callerParam : undefined;
}

/** The same refusal with `own` as the name of its field `param`. */
export function renameParam(fault: Fault, param: string, own: string): Fault {
  const message = renameIn(fault.message, param, own);
  return new Fault(fault.code, message, { ...fault.details, param: own });
}

/** A name that is also an English word is replaced only where it is quoted. */
function renameIn(message: string, param: string, own: string): string {
  if (!/^[a-z]+$/.test(param)) return message.replaceAll(param, own);
  let renamed = message;
  for (const quote of ["'", "`", '"']) {
    renamed = renamed.replaceAll(quote + param + quote, quote + own + quote);
  }
  return renamed;
}
