// One route of the management API: a method and a path, the schema of what it takes and answers, and the tRPC
// procedure that does it. The procedure checks permissions and input; a route only names things as `/v1` does.
import { TRPCError } from "@trpc/server";
import { Fault } from "@turnpike/base";
import { z } from "zod";
import type { createCaller } from "../app-router.ts";
import { faultOf, faultOfInput } from "../fault-to-trpc.ts";
import {
  cursorDescription,
  pageLimitDescription,
  pageLimitInput,
  pageRowsDefault,
} from "../inputs.ts";
import { snakeName, toCamel, toSnake } from "./spelling.ts";

export type Caller = ReturnType<typeof createCaller>;

export type RouteMethod = "GET" | "POST" | "PATCH" | "DELETE";

type Facts = {
  readonly method: RouteMethod;
  /** With `{name}` for each part that is a field of the input. */
  readonly path: `/v1/${string}`;
  readonly tag: string;
  /** In the imperative: "Create an API key". */
  readonly summary: string;
  readonly description?: string;
  /** The procedure whose permission is needed, e.g. `keys.create`. */
  readonly procedure: string;
  /** Of success. */
  readonly status: 200 | 201;
  /** The schemas are in snake_case themselves, because the shape is not ours. */
  readonly isVerbatim?: boolean;
};

/** What the server knows beyond the fields of the call. */
export type RouteCall = {
  readonly caller: Caller;
  /** A UUID for what the call creates: the same for all calls under one `Idempotency-Key`. */
  readonly madeId: string;
};

/** A route whose types are checked where it is defined. */
export type ManagementRoute = Facts & {
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  /** Takes the fields of path, query and body as sent; resolves with the body of the answer. Rejects with a Fault. */
  readonly answer: (call: RouteCall, fields: unknown) => Promise<unknown>;
};

export function defineRoute<Input extends z.ZodType, Output extends z.ZodType>(
  route: Facts & {
    readonly input: Input;
    readonly output: Output;
    readonly run: (call: RouteCall, fields: z.input<Input>) => Promise<z.input<Output>>;
  },
): ManagementRoute {
  const { run, ...facts } = route;
  const { isVerbatim = false, input, output } = facts;
  return {
    ...facts,
    async answer(call, fields) {
      const named = isVerbatim ? fields : toCamel(fields);
      try {
        const result = output.parse(await run(call, checked(input, named)));
        return isVerbatim ? result : toSnake(result);
      } catch (thrown) {
        throw faultOfRoute(thrown, isVerbatim);
      }
    },
  };
}

/** What the schema accepted has the type of its input; the procedure reads it again, so it stays unread here. */
function checked<Input extends z.ZodType>(schema: Input, fields: unknown): z.input<Input> {
  const { error } = schema.safeParse(fields);
  if (error !== undefined) throw faultOfInput(error);
  return fields as z.input<Input>;
}

function faultOfRoute(thrown: unknown, isVerbatim: boolean): unknown {
  const fault = thrown instanceof TRPCError ? faultOf(thrown) : thrown;
  if (!(fault instanceof Fault) || isVerbatim) return fault;
  const { param } = fault.details;
  if (param === undefined) return fault;
  return new Fault(fault.code, fault.message, { ...fault.details, param: snakeName(param) });
}

/** The answer of what only changes something. */
export const nothing = z.object({});

export const nextCursorSchema = z
  .string()
  .nullable()
  .describe("Send it as `cursor` to get the next page; null on the last one.");

/** The answer of a list. */
export function pageSchema<Row extends z.ZodType>(row: Row) {
  return z.object({
    data: z.array(row).describe("The rows of this page."),
    nextCursor: nextCursorSchema,
  });
}

export const pageInput = {
  cursor: z.string().max(200).optional().describe(cursorDescription),
  limit: pageLimitInput.optional().describe(pageLimitDescription),
};

type PageAsked = {
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
};

/** Where a row is in its list. */
type Place = { readonly at: string; readonly id: string };

/**
 * One page of a list that the procedure returns whole, in order of time and then id. A cursor is a place, not a row: it
 * leads on if its row is gone. Throws `invalid_value` for another text.
 */
export function pageOf<Row extends { readonly id: string }>(
  rows: readonly Row[],
  { cursor, limit = pageRowsDefault }: PageAsked,
  { atOf, newestFirst = false }: { atOf: (row: Row) => string; newestFirst?: boolean },
): { readonly data: Row[]; readonly nextCursor: string | null } {
  const placeOf = (row: Row): Place => ({ at: atOf(row), id: row.id });
  const compare = (a: Place, b: Place) => (newestFirst ? -1 : 1) * comparePlaces(a, b);
  const sorted = rows.toSorted((a, b) => compare(placeOf(a), placeOf(b)));
  const after = cursor === undefined ? undefined : parsePlace(cursor);
  const left = after ? sorted.filter((row) => compare(placeOf(row), after) > 0) : sorted;
  const data = left.slice(0, limit);
  const last = data.at(-1);
  return { data, nextCursor: left.length > limit && last ? writePlace(placeOf(last)) : null };
}

function comparePlaces(a: Place, b: Place): number {
  if (a.at !== b.at) return a.at < b.at ? -1 : 1;
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}

function writePlace({ at, id }: Place): string {
  return Buffer.from(`${at}~${id}`).toString("base64url");
}

function parsePlace(cursor: string): Place {
  const [at, id, ...others] = Buffer.from(cursor, "base64url").toString().split("~");
  const isPlace = at !== undefined && id !== undefined && others.length === 0;
  if (isPlace && /^[\w.:-]*$/.test(at) && /^[\da-f-]{36}$/.test(id)) return { at, id };
  throw new Fault("invalid_value", "There is no such page. Begin without a cursor.", {
    param: "cursor",
  });
}
