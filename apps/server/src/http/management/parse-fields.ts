// The fields of a call of the management API from its path, its query and its body, as one object. A field of the
// query is text: it becomes what the schema of the route expects where that is a number, a boolean or a list.
import type { ManagementRoute } from "@turnpike/api";
import { Fault, parseObject } from "@turnpike/base";
import { z } from "zod";

type Fields = Readonly<Record<string, unknown>>;

/** Throws `invalid_json` and `unknown_parameter`. */
export function parseFields(route: ManagementRoute, url: string, text: string): Fields {
  const { pathname, searchParams } = new URL(url);
  const inPath = fieldsInPath(route.path, pathname);
  const hasBody = route.method === "POST" || route.method === "PATCH";
  const inQuery = hasBody ? {} : fieldsInQuery(route, searchParams);
  if (hasBody) assertNoQuery(searchParams);
  const inBody = hasBody && text.trim() !== "" ? parseBody(text) : {};
  for (const name of [...Object.keys(inBody), ...Object.keys(inQuery)]) {
    if (name in inPath) throw unknownField(name);
  }
  return { ...inBody, ...inQuery, ...inPath };
}

function parseBody(text: string): Fields {
  const body = parseObject(text);
  if (body !== undefined) return body;
  throw new Fault("invalid_json", "The body of your request is not a JSON object.");
}

function fieldsInPath(path: string, pathname: string): Fields {
  const given = pathname.slice(pathname.indexOf("/v1/")).split("/");
  const fields: Record<string, string> = {};
  for (const [place, part] of path.split("/").entries()) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name !== undefined) fields[name] = decode(given[place] ?? "");
  }
  return fields;
}

/** What is not valid percent-encoding names nothing, so it may stay unchanged. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function assertNoQuery(query: URLSearchParams): void {
  const [name] = query.keys();
  if (name !== undefined) throw unknownField(name);
}

function unknownField(name: string): Fault {
  const param = name.slice(0, 100);
  return new Fault("unknown_parameter", `There is no field ${param} here.`, { param });
}

function fieldsInQuery(route: ManagementRoute, query: URLSearchParams): Fields {
  const kinds = kindsOf(route);
  const fields: Record<string, unknown> = {};
  for (const name of new Set(query.keys())) {
    const given = query.getAll(name);
    const kind = kinds.get(
      route.isVerbatim === true ? name : name.replaceAll("_", "").toLowerCase(),
    );
    if (kind === "array") fields[name] = given.flatMap((text) => text.split(","));
    else if (given.length > 1) throw repeated(name);
    else fields[name] = parseValue(given[0] ?? "", kind);
  }
  return fields;
}

function repeated(param: string): Fault {
  return new Fault("invalid_value", `The field ${param} was sent more than once.`, { param });
}

/** Text that is not what is expected stays text, which the schema refuses by the name of the field. */
function parseValue(text: string, kind: string | undefined): unknown {
  if (kind === "boolean" && (text === "true" || text === "false")) return text === "true";
  if ((kind === "integer" || kind === "number") && /^-?\d{1,15}$/.test(text)) return Number(text);
  return text;
}

const known = new WeakMap<ManagementRoute, ReadonlyMap<string, string>>();

/** The JSON types of the input's fields, by their names without capitals and underscores. */
function kindsOf(route: ManagementRoute): ReadonlyMap<string, string> {
  const before = known.get(route);
  if (before !== undefined) return before;
  const { properties = {} } = z.toJSONSchema(route.input, { io: "input", unrepresentable: "any" });
  const kinds = new Map<string, string>();
  for (const [name, schema] of Object.entries(properties)) {
    const type = typeof schema === "object" ? schema.type : undefined;
    const plain = route.isVerbatim === true ? name : name.toLowerCase();
    if (typeof type === "string") kinds.set(plain, type);
  }
  known.set(route, kinds);
  return kinds;
}
