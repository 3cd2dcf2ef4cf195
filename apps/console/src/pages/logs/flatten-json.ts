// A stored prompt or answer as rows: one for each value, by its path, so that two can be compared value by value.
import type { Fact } from "./log-facts.ts";

const depthMax = 12;
export const valuesMax = 300;

/** At most `valuesMax`. Lists of plain values stay whole: an embedding has thousands of numbers. */
export function flattenJson(value: unknown): readonly Fact[] {
  const facts: Fact[] = [];
  const add = (path: string, found: unknown, depth: number): void => {
    if (facts.length >= valuesMax) return;
    const entries = depth < depthMax ? entriesOf(found) : [];
    if (entries.length === 0) facts.push([depth === 0 ? "value" : path, print(found)]);
    for (const [step, inner] of entries) add(join(path, step), inner, depth + 1);
  };
  add("", value, 0);
  return facts;
}

/** None of a value that stays whole. */
function entriesOf(value: unknown): readonly (readonly [step: string | number, value: unknown])[] {
  if (Array.isArray(value)) {
    const isPlain = value.every((one) => typeof one !== "object" || one === null);
    return isPlain ? [] : value.map((one, index) => [index, one] as const);
  }
  if (typeof value !== "object" || value === null) return [];
  // What was said comes last: a long conversation hides no parameter.
  const said = ([name]: [string, unknown]) =>
    Number(/^(messages|input|contents|prompt)$/.test(name));
  return Object.entries(value).toSorted((one, other) => said(one) - said(other));
}

/** A name that could be read as a longer path is in quotes: no two values have the same path. */
function join(path: string, step: string | number): string {
  if (typeof step === "number") return `${path}[${step}]`;
  if (!/^[^.[\]"]+$/.test(step)) return `${path}[${JSON.stringify(step)}]`;
  return path === "" ? step : `${path}.${step}`;
}

function print(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
