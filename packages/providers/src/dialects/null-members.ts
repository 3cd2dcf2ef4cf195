// Members of a request that are null: to callers they are absent, and some providers refuse them.
import type { JsonObject } from "@turnpike/base";

export function nullMembers(body: JsonObject): string[] {
  const names: string[] = [];
  for (const name in body) if (body[name] === null) names.push(name);
  return names;
}
