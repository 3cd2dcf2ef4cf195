// Vertex AI refuses the ids of calls and of their results, and matches them by name and order
// (https://github.com/vercel/ai/issues/15664). So results are sorted into the order of their calls, and
// lose their ids.
import { isObject, type JsonObject } from "@turnpike/base";

type Turn = { readonly role: string; readonly parts: readonly JsonObject[] };

/** The same conversation for Vertex AI. */
export function withoutCallIds(contents: readonly Turn[]): readonly Turn[] {
  return contents.map((turn, index) => {
    const calls = positionsOf(contents[index - 1]?.parts ?? []);
    return { ...turn, parts: sortResults(turn.parts, calls).map(withoutId) };
  });
}

/** Of the calls, by their ids. */
function positionsOf(parts: readonly JsonObject[]): ReadonlyMap<unknown, number> {
  const positions = new Map<unknown, number>();
  for (const [position, { functionCall }] of parts.entries()) {
    const id = idOf(functionCall);
    if (!positions.has(id)) positions.set(id, position);
  }
  return positions;
}

/** Each result, with its media, at the position of its call; what the user says follows them. */
function sortResults(parts: readonly JsonObject[], calls: ReadonlyMap<unknown, number>) {
  const last = parts.findLastIndex((part) => isObject(part.functionResponse));
  if (last === -1) return parts;
  const said = parts.findIndex((part, at) => at > last && part.text !== undefined);
  const end = said === -1 ? parts.length : said;
  const results: { readonly at: number; readonly parts: JsonObject[] }[] = [];
  for (const part of parts.slice(0, end)) {
    if (isObject(part.functionResponse) || results.length === 0) {
      results.push({ at: calls.get(idOf(part.functionResponse)) ?? -1, parts: [part] });
    } else {
      results.at(-1)?.parts.push(part);
    }
  }
  const sorted = results.sort((a, b) => a.at - b.at).flatMap((result) => result.parts);
  return [...sorted, ...parts.slice(end)];
}

function idOf(call: unknown): unknown {
  return isObject(call) ? call.id : undefined;
}

function withoutId(part: JsonObject): JsonObject {
  for (const member of ["functionCall", "functionResponse"]) {
    const call = part[member];
    if (!isObject(call)) continue;
    const { id: _, ...rest } = call;
    return { ...part, [member]: rest };
  }
  return part;
}
