// An answer of a verb as lines of text for people: facts by their names, lists as tables, and amounts, times and counts
// as the console writes them. Programs ask for `--json`.
import {
  formatBalance,
  formatCost,
  formatCount,
  formatDuration,
  formatExactUsd,
  formatUtc,
  noData,
} from "@turnpike/format";
import { writeTable } from "./write-table.ts";

type Answer = Readonly<Record<string, unknown>>;

const indent = "  ";

export function describeAnswer(answer: Answer): string[] {
  const entries = Object.entries(answer);
  const facts = entries.filter(([, value]) => !isLong(value));
  return [
    ...describeFacts(facts),
    ...entries.filter(([, value]) => isLong(value)).flatMap(describeLong),
  ];
}

/** What does not fit beside its name: a list, an object, a text of several lines. */
function isLong(value: unknown): boolean {
  if (typeof value === "string") return value.includes("\n");
  return typeof value === "object" && value !== null && !isEmptyList(value);
}

function describeFacts(facts: readonly (readonly [string, unknown])[]): string[] {
  const width = Math.max(0, ...facts.map(([name]) => nameField(name).length));
  return facts.map(
    ([name, value]) => `${nameField(name).padEnd(width)}  ${describeValue(name, value)}`,
  );
}

function describeLong([name, value]: readonly [string, unknown]): string[] {
  const title = ["", `${nameField(name)}:`];
  if (typeof value === "string") return [...title, value];
  const lines = Array.isArray(value) ? describeList(name, value) : describeAnswer(asAnswer(value));
  return [...title, ...lines.map((line) => `${indent}${line}`.trimEnd())];
}

function describeList(name: string, rows: readonly unknown[]): string[] {
  if (!rows.every(isRow)) return rows.map((row) => describeValue(name, row));
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((field) =>
    rows.some((row) => !isNothing(row[field]) || isCost(field)),
  );
  return writeTable(
    fields.map((field) => ({
      title: nameField(field),
      isEnd: rows.every((row) => isFigure(field, row[field])),
    })),
    rows.map((row) => fields.map((field) => describeValue(field, row[field]))),
  );
}

function isRow(value: unknown): value is Answer {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || value === "" || isEmptyList(value);
}

/** Figures end below each other. */
function isFigure(field: string, value: unknown): boolean {
  return isNothing(value) || typeof value === "number" || isUsd(field);
}

/** Guarantees an object: `describeLong` has sorted out everything else. */
function asAnswer(value: unknown): Answer {
  return value as Answer;
}

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/;
const decimal = /^-?\d{1,30}(\.\d{1,30})?$/;

function describeValue(name: string, value: unknown): string {
  if (isEmptyList(value)) return "none";
  if (isNothing(value)) return isCost(name) ? "unknown" : noData;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return describeNumber(name, value);
  if (Array.isArray(value)) return value.map((each) => describeValue(name, each)).join(", ");
  if (typeof value === "object") return describeInline(asAnswer(value));
  const text = String(value);
  if (isoTime.test(text)) return formatUtc(new Date(text));
  return isUsd(name) && decimal.test(text) ? describeUsd(name, text) : text;
}

/** In a cell: `input $2.50, output $10.00`. */
function describeInline(of: Answer): string {
  return Object.entries(of)
    .filter(([, value]) => !isNothing(value))
    .map(([name, value]) => `${nameField(name).toLowerCase()} ${describeValue(name, value)}`)
    .join(", ");
}

function isUsd(name: string): boolean {
  return name === "usd" || name.endsWith("Usd");
}

/** What a provider charges is known only where the catalog says so. */
function isCost(name: string): boolean {
  return /^(cost|operatorCost|margin)Usd$/.test(name);
}

/** A balance is never rounded up, and a price never at all. */
function describeUsd(name: string, usd: string): string {
  if (/^(balance|available|opening|closing)/.test(name)) return formatBalance(usd);
  return /^(input|output|cached|cacheWrite)/.test(name) ? formatExactUsd(usd) : formatCost(usd);
}

function describeNumber(name: string, value: number): string {
  if (name.endsWith("Percent")) return `${value}%`;
  if (name.endsWith("Ms") || /^p\d\d$/.test(name)) return formatDuration(value);
  return name === "id" ? String(value) : formatCount(value);
}

/** `lastUsedAt` is `Last used`, `amountUsd` is `Amount`. */
function nameField(field: string): string {
  if (field === "id") return "ID";
  const words = field
    .replace(/(?<=.)(Usd|At|Ms|Percent)$/, (unit) => (unit === "Percent" ? " in percent" : ""))
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/ id$/, " ID")
    .replaceAll("_", " ");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
