// Pages of items as OpenAI's API lists them, and the query that asks for one.
import { Fault, type JsonObject } from "@turnpike/base";
import { aboveMaximum, badValue, belowMinimum, notSupported } from "../checks/body-fault.ts";
import { presentItem } from "./stored-turn.ts";

export type ItemQuery = {
  readonly limit: number;
  readonly order: "asc" | "desc";
  /** Of the last item of the page before. */
  readonly after: string | undefined;
};

const limitDefault = 20;
const limitMax = 100;

/** `include` and others are accepted without effect. Throws a Fault that names the parameter. */
export function parseItemQuery(query: URLSearchParams): ItemQuery {
  const order = query.get("order") ?? "desc";
  if (order !== "asc" && order !== "desc") throw notSupported("order", order, ["asc", "desc"]);
  const text = query.get("limit");
  const limit = text === null ? limitDefault : Number(text);
  if (text === "" || !Number.isInteger(limit)) throw badValue("limit", "it must be an integer");
  if (limit < 1) throw belowMinimum("limit", "integer", 1, limit);
  if (limit > limitMax) throw aboveMaximum("limit", "integer", limitMax, limit);
  return { limit, order, after: query.get("after") ?? undefined };
}

export type ItemPage = { readonly items: readonly JsonObject[]; readonly hasMore: boolean };

/**
 * A page of `items`, which come in its order and are read no further than it needs. One with more than `maxBytes` ends before its limit.
 * Throws the Fault of an `after` that is not one of them.
 */
export async function collectPage(
  items: AsyncIterable<JsonObject> | Iterable<JsonObject>,
  { limit, after }: Pick<ItemQuery, "limit" | "after">,
  maxBytes: number,
): Promise<ItemPage> {
  const page: JsonObject[] = [];
  let isBehind = after === undefined;
  let bytes = 0;
  for await (const item of items) {
    if (!isBehind) {
      isBehind = item.id === after;
      continue;
    }
    bytes += JSON.stringify(item).length;
    const isFull = page.length === limit || (page.length > 0 && bytes > maxBytes);
    if (isFull) return { items: page, hasMore: true };
    page.push(item);
  }
  if (isBehind) return { items: page, hasMore: false };
  throw new Fault("not_found", "There is no item with the id in 'after'.", { param: "after" });
}

export function itemListBody({ items, hasMore }: ItemPage): JsonObject {
  const data = items.map(presentItem);
  return {
    object: "list",
    data,
    first_id: data.at(0)?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: hasMore,
  };
}
