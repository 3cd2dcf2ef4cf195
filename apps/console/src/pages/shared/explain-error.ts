// What an error code of `/v1` means, in plain words, and what to do about it.
import { apiErrors } from "./api-errors.ts";

/** Of a code that is not known here, its name. */
export function explainError(code: string): string {
  const known: Readonly<Record<string, { meaning: string; fix?: string }>> = apiErrors;
  const error = Object.hasOwn(known, code) ? known[code] : undefined;
  if (error === undefined) return `The request ended with ${code}.`;
  return [error.meaning, error.fix].filter(Boolean).join(" ").replaceAll("`", "");
}
