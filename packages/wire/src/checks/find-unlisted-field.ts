// Finds the first part of a request that a provider may not be sent, because it could reach what belongs to the
// operator's account: a field that is not known, or a member of its messages or tools.
import type { JsonObject } from "@turnpike/base";
import { isPreference, knownFieldsOf } from "../fields/known-fields.ts";
import type { JsonMember } from "../json/edit-json-object.ts";
import { chatLanguage } from "../protocol/languages.ts";
import type { ParsedRequest } from "../protocol/pivot.ts";
import { findUnlistedMember } from "./find-unlisted-member.ts";

/**
 * For a provider whose dialect has `language`. Dialects that translate refuse both themselves. Preferences refer to
 * nothing, and a provider that does not know one is asked without it.
 */
export function findUnlistedField(request: ParsedRequest, language: string): string | undefined {
  const known = knownFieldsOf(language);
  if (known === undefined) return undefined;
  const isRelayed = language === request.language;
  if (!isRelayed && language !== chatLanguage) return undefined;
  const field = isRelayed
    ? request.members.find((member) => isUnlisted(request.raw, member, known))?.key
    : unlistedKey(request.parsed, known);
  if (field !== undefined || request.operation !== "chat") return field;
  return isRelayed ? findUnlistedMember(request.asked ?? request.parsed, language) : undefined;
}

function isUnlisted(raw: string, member: JsonMember, known: ReadonlySet<string>): boolean {
  const { key, valueStart, valueEnd } = member;
  if (known.has(key) || isPreference(key)) return false;
  return valueEnd - valueStart !== 4 || !raw.startsWith("null", valueStart);
}

function unlistedKey(body: JsonObject, known: ReadonlySet<string>): string | undefined {
  for (const key in body) {
    if (!known.has(key) && (body[key] ?? null) !== null) return key;
  }
  return undefined;
}
