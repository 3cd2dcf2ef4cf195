// The preferences of a request that an upstream is asked without: those that its API or its model has nothing like.
import type { JsonObject } from "@turnpike/base";
import { asksForNothing, isDocumentedField, isPreference } from "@turnpike/wire";
import type { UpstreamCall } from "./provider.ts";

export const nothingIgnored: readonly string[] = [];

/** The preferences in `body` that are lost in `context`, apart from those whose value asks for nothing. */
export function findIgnored<Context>(
  body: JsonObject,
  context: Context,
  isLost: (name: string, context: Context) => boolean,
): readonly string[] {
  let ignored: string[] | undefined;
  for (const name in body) {
    if (!isPreference(name) || asksForNothing(name, body[name])) continue;
    if (!isLost(name, context)) continue;
    ignored ??= [];
    ignored.push(name);
  }
  return ignored ?? nothingIgnored;
}

/**
 * The preferences in `body` that its upstream must not be sent, whatever their value: those that its model does not
 * obey, and those that `language` has no field for, if the upstream refuses what it does not know. A provider that
 * gets unknown fields gets these as well: its model may know them.
 */
export function findUnsent(
  body: JsonObject,
  { provider, omittedFields }: Pick<UpstreamCall, "provider" | "omittedFields">,
  language: string | undefined,
): readonly string[] {
  if (provider.unknownFields === "passed") return nothingIgnored;
  let unsent: string[] | undefined;
  for (const name in body) {
    if (!isPreference(name)) continue;
    const isForeign = language !== undefined && !isDocumentedField(language, name);
    if (!isForeign && !omittedFields.includes(name)) continue;
    unsent ??= [];
    unsent.push(name);
  }
  return unsent ?? nothingIgnored;
}
