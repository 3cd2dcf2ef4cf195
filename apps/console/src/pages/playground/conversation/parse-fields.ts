// Parses the fields of an object from a file, strictly: each by its type, none that is unknown. Every complaint names the
// field, e.g. "threads[0].messages[2].role".
import { asRecord } from "../../../product/completions/parse-chunk.ts";

export class NotAConversation extends Error {
  override readonly name = "NotAConversation";
}

/** Parses all of an object: a field that `parse` did not take is not known. An empty `place` is the file itself. */
export function parseFields<Item>(
  value: unknown,
  place: string,
  parse: (fields: Fields) => Item,
): Item {
  const fields = new Fields(value, place);
  const item = parse(fields);
  const [unknown] = fields.names();
  if (unknown !== undefined) throw fields.wrong(unknown, "is not known");
  return item;
}

/** All of its functions throw NotAConversation. */
export class Fields {
  readonly #place: string;
  readonly #record: Readonly<Record<string, unknown>>;
  readonly #left: Set<string>;

  constructor(value: unknown, place: string) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw new NotAConversation(`${place || "The file"} must be an object.`);
    }
    this.#place = place;
    this.#record = asRecord(value);
    this.#left = new Set(Object.keys(this.#record));
  }

  wrong(name: string, problem: string): NotAConversation {
    return new NotAConversation(`${this.#placeOf(name)} ${problem}.`);
  }

  take(name: string): unknown {
    this.#left.delete(name);
    return Object.hasOwn(this.#record, name) ? this.#record[name] : undefined;
  }

  /** Empty if it is absent. */
  text(name: string, charsMax = Number.POSITIVE_INFINITY): string {
    const found = this.take(name) ?? "";
    if (typeof found !== "string") throw this.wrong(name, "must be text");
    if (found.length > charsMax) throw this.wrong(name, `is longer than ${charsMax} characters`);
    return found;
  }

  needed(name: string, charsMax: number): string {
    const found = this.text(name, charsMax);
    if (found === "") throw this.wrong(name, "is missing");
    return found;
  }

  /** What is absent is the empty one, if that is among them. */
  oneOf<Value extends string>(name: string, values: readonly Value[]): Value {
    const found = this.take(name) ?? "";
    const known = values.find((one) => one === found);
    if (known === undefined) {
      throw this.wrong(name, `must be ${values.filter((one) => one !== "").join(" or ")}`);
    }
    return known;
  }

  flag(name: string): boolean {
    const found = this.take(name) ?? false;
    if (typeof found !== "boolean") throw this.wrong(name, "must be true or false");
    return found;
  }

  count(name: string): number | undefined {
    const found = this.take(name);
    if (found === undefined) return undefined;
    if (typeof found === "number" && found >= 0 && found < 1e12) return found;
    throw this.wrong(name, "must be a number");
  }

  /** Undefined if it is absent. */
  fields<Item>(name: string, parse: (fields: Fields) => Item): Item | undefined {
    const found = this.take(name);
    return found === undefined ? undefined : parseFields(found, this.#placeOf(name), parse);
  }

  /** Empty if it is absent. */
  list<Item>(name: string, most: number, parse: (item: Fields) => Item): readonly Item[] {
    const found = this.take(name) ?? [];
    if (!Array.isArray(found)) throw this.wrong(name, "must be a list");
    if (found.length > most) throw this.wrong(name, `has more than ${most} entries`);
    const place = this.#placeOf(name);
    return found.map((item: unknown, at) => parseFields(item, `${place}[${at}]`, parse));
  }

  /** Those that were not taken yet. */
  names(): readonly string[] {
    return [...this.#left];
  }

  #placeOf(name: string): string {
    return this.#place === "" ? name : `${this.#place}.${name}`;
  }
}
