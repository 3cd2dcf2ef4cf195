// What an error code of `/v1` means, in plain words, and what to do about it.
import { apiErrors } from "./api-errors.ts";

/** Of a code that is not known here, its name. */
export function explainError(code: string): string {
  const error = Object.hasOwn(apiErrors, code) ? apiErrors[code] : undefined;
  return error?.text.replaceAll("`", "") ?? `The request ended with ${code}.`;
}
