// The saved views as a browser stores them. Whatever else is stored there is ignored.

export type SavedView = {
  readonly name: string;
  /** Of the address: empty, or with its `?`. */
  readonly query: string;
};

export const viewsMax = 30;

export function readViews(text: string | undefined): readonly SavedView[] {
  if (text === undefined) return [];
  const stored = parse(text);
  if (!Array.isArray(stored)) return [];
  return stored.filter(isView).slice(0, viewsMax);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isView(value: unknown): value is SavedView {
  if (typeof value !== "object" || value === null) return false;
  if (!("name" in value && "query" in value)) return false;
  const { name, query } = value;
  return typeof name === "string" && typeof query === "string" && /^(\?|$)/.test(query);
}
