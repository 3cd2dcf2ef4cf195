// A row of `requests` as the literal of a record: its columns in their order, without their names, so that a column is
// named nowhere between the place that knows its value and the table.
import { type RequestRow, requests } from "@turnpike/db";
import { getTableColumns } from "drizzle-orm";
import { postedColumns } from "./call-facts.ts";

/** What is missing is null, or set by the function that gets the row. */
type KnownMembers = Partial<Readonly<RequestRow>>;

const ownColumns: ReadonlySet<string> = new Set([...postedColumns, "attempts"]);

const columns = Object.entries(getTableColumns(requests)).map(([name, { dataType }]) => ({
  name: name as keyof RequestRow,
  isJson: dataType === "json",
  isOwn: ownColumns.has(name),
}));

/** How many members a record has: a later schema may have more columns. */
export const requestMembers = columns.length;

/** One array serves all rows: a literal has dozens of members. */
const members: (string | number | bigint | boolean | null)[] = [];

/**
 * `own` has what is set when the row is written, and its attempts: joining both in one record first would take longer than
 * writing it.
 */
export function writeRequest(row: KnownMembers, own: KnownMembers = row): string {
  for (let index = 0; index < columns.length; index += 1) {
    const column = columns[index];
    if (column === undefined) continue;
    const value = column.isOwn ? own[column.name] : row[column.name];
    members[index] = writeMember(value, column.isJson);
  }
  return `(${members.join(",")})`;
}

/** Text that is stored as it is and needs no quotes: ids, names, words. */
const plain = /^[!#-'*+\--[\]-~]{1,512}$/;

function writeMember(value: unknown, isJson: boolean): (typeof members)[number] {
  if (value === null || value === undefined) return null;
  if (isJson) return quote(storableJson(value));
  if (typeof value === "string") return plain.test(value) ? value : quote(storableText(value));
  if (typeof value === "number") {
    // Times, in microseconds: the last digits of a double are many to write and to read.
    return Number.isInteger(value) ? value : Math.round(value * 1_000) / 1_000;
  }
  if (typeof value === "bigint" || typeof value === "boolean") return value;
  throw new Error(`a request has no member of the type ${typeof value}`);
}

const special = /[\s"\\(),]/;
const quoted = /["\\]/g;

function quote(text: string): string {
  if (text !== "" && !special.test(text)) return text;
  return `"${text.replace(quoted, "\\$&")}"`;
}

const textMaxChars = 512;

/**
 * Any text, made storable in a column: text of callers and upstreams must never be the reason why a charge
 * fails. PostgreSQL refuses NUL, and half a surrogate pair inside jsonb.
 */
export function storableText(text: string): string {
  if (isStorable(text)) return text;
  return text.slice(0, textMaxChars).toWellFormed().replaceAll("\0", "");
}

function isStorable(text: string): boolean {
  return text.length <= textMaxChars && text.isWellFormed() && !text.includes("\0");
}

export function storableJson(value: unknown): string {
  const json = JSON.stringify(value);
  // NUL and lone surrogates are written as escapes, and no string in it is longer than the whole.
  if (json.length <= textMaxChars && !json.includes("\\u")) return json;
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "string" ? storableText(part) : part,
  );
}
