// Which models are compared, as in an address: ids with commas between them, each once, at most four.
import { type Field, list } from "../../lib/use-address.ts";

export const comparedMax = 4;

export const idsField: Field<string[]> = {
  read: (param, name) => [...new Set(list.read(param, name))].slice(0, comparedMax),
  write: list.write,
};

/** The page with these models side by side. Slashes stay readable. */
export function comparisonPath(ids: readonly string[]): string {
  return `/models/compare${idsQuery("ids", ids)}`;
}

export function idsQuery(name: string, ids: readonly string[]): string {
  const text = ids.map((id) => encodeURIComponent(id).replaceAll("%2F", "/")).join(",");
  return text === "" ? "" : `?${name}=${text}`;
}
