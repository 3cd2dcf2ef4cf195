// Which models are compared, as in an address: ids with commas between them, each once, at most four.
export const comparedMax = 4;

export function readIds(value: string | string[] | undefined): readonly string[] {
  const text = (Array.isArray(value) ? value[0] : value) ?? "";
  return [...new Set(text.split(",").filter(Boolean))].slice(0, comparedMax);
}

/** The page with these models side by side. Slashes stay readable. */
export function comparisonPath(ids: readonly string[]): string {
  return `/models/compare${idsQuery("ids", ids)}`;
}

export function idsQuery(name: string, ids: readonly string[]): string {
  const text = ids.map((id) => encodeURIComponent(id).replaceAll("%2F", "/")).join(",");
  return text === "" ? "" : `?${name}=${text}`;
}
