// Our own id and model in an Anthropic answer that otherwise passes byte for byte.
import { editJsonObject, memberText, scanJsonObject } from "@turnpike/wire";
import type { UpstreamCall } from "../../provider.ts";

/** What an answer shows in place of the upstream's own. */
export function nameAnswer({ stamp }: Pick<UpstreamCall, "stamp">): Record<string, string> {
  return { id: JSON.stringify(stamp.id), model: JSON.stringify(stamp.model) };
}

/** `json` with members of its member `key` set. */
export function editMember(
  json: string,
  key: string,
  set: Readonly<Record<string, string>>,
): string {
  const members = scanJsonObject(json);
  const inner = memberText(json, members, key);
  if (inner === undefined || !inner.startsWith("{")) return json;
  const edited = editJsonObject(inner, scanJsonObject(inner), { set });
  return editJsonObject(json, members, { set: { [key]: edited } });
}
