// Reads a form with files as a hosted provider does, by the runtime's own parser: nothing of the gateway's is used here. The
// names of fields are those of OpenAI's clients, and nothing else is understood.
import { Refusal } from "./refuse-request.ts";

export type FormFile = {
  readonly filename: string;
  readonly type: string;
  readonly bytes: Buffer;
};

export type Form = {
  /** `x[]` is a list, `x[key]` an object; every value is text. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly files: Readonly<Record<string, readonly FormFile[]>>;
};

/** Throws `Refusal`. */
export async function readForm(body: Buffer, contentType: string): Promise<Form> {
  const fields: Record<string, unknown> = {};
  const files: Record<string, FormFile[]> = {};
  const types = declaredTypes(body, contentType);
  for (const [name, value] of await parse(body, contentType)) {
    const [, field = "", key] = /^([a-z_]+)(?:\[([a-z_]*)\])?$/.exec(name) ?? [];
    if (field === "") throw new Refusal(`Unknown parameter: '${name}'.`, "unknown_parameter", name);
    if (typeof value === "string") setText(fields, { field, key, value });
    else {
      if (key === undefined && files[field]) throw duplicate(field);
      const bytes = Buffer.from(await value.arrayBuffer());
      const type = types.shift() ?? "";
      files[field] = [...(files[field] ?? []), { filename: value.name, type, bytes }];
    }
  }
  return { fields, files };
}

type Entry = readonly [name: string, value: string | File];

async function parse(body: Buffer, contentType: string): Promise<readonly Entry[]> {
  try {
    const headers = { "content-type": contentType };
    const form = await new Response(new Uint8Array(body), { headers }).formData();
    const entries: Entry[] = [];
    form.forEach((value, name) => {
      entries.push([name, value]);
    });
    return entries;
  } catch {
    throw new Refusal("Could not parse multipart form", null);
  }
}

/** Of the files in their order: the runtime's parser goes by their names instead. */
function declaredTypes(body: Buffer, contentType: string): string[] {
  const [, quoted, plain] = /boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(contentType) ?? [];
  const mark = `--${quoted ?? plain}\r\n`;
  const types: string[] = [];
  for (let at = body.indexOf(mark); at !== -1; at = body.indexOf(mark, at + mark.length)) {
    const head = body.toString("latin1", at, body.indexOf("\r\n\r\n", at));
    if (!/;\s*filename\*?=/i.test(head)) continue;
    types.push(/\r\ncontent-type:\s*([^\r;]*)/i.exec(head)?.[1]?.trim().toLowerCase() ?? "");
  }
  return types;
}

type Text = { readonly field: string; readonly key: string | undefined; readonly value: string };

function setText(fields: Record<string, unknown>, { field, key, value }: Text): void {
  const before = fields[field];
  if (key === undefined) {
    if (before !== undefined) throw duplicate(field);
    fields[field] = value;
  } else if (key === "") {
    fields[field] = [...(Array.isArray(before) ? before : []), value];
  } else {
    fields[field] = { ...(typeof before === "object" ? before : {}), [key]: value };
  }
}

function duplicate(field: string): Refusal {
  const sentence =
    `Duplicate parameter: '${field}'. You provided multiple values for this parameter, whereas only one is allowed. ` +
    `If you are trying to provide a list of values, use the array syntax instead e.g. '${field}[]=<value>'.`;
  return new Refusal(sentence, "duplicate_parameter", field);
}

/** The texts of these fields as numbers and booleans, where they are such. */
export function typed(
  fields: Readonly<Record<string, unknown>>,
  numbers: readonly string[],
  booleans: readonly string[],
): Readonly<Record<string, unknown>> {
  const convert = ([name, value]: readonly [string, unknown]): readonly [string, unknown] => {
    if (typeof value !== "string") return [name, value];
    if (numbers.includes(name) && /^-?\d+(?:\.\d+)?$/.test(value)) return [name, Number(value)];
    if (booleans.includes(name) && /^(?:true|false)$/.test(value)) return [name, value === "true"];
    return [name, value];
  };
  return Object.fromEntries(Object.entries(fields).map(convert));
}
