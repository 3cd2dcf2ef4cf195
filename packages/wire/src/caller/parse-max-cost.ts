// The most a caller is willing to pay for one request: `max_cost` of the body, or the header `x-max-cost` for
// clients that cannot add to the body. The smaller of both counts.
import type { JsonObject } from "@turnpike/base";
import { type Nanos, parseUsd } from "@turnpike/terms";
import { badValue, wrongType } from "../checks/body-fault.ts";
import type { Bounds } from "../checks/bounds.ts";
import type { RequestHeaders } from "../protocol/request-headers.ts";

const header = "x-max-cost";

export const maxCostBounds: Bounds = { number: { minimum: 0 } };

/** USD as a JSON number or a decimal string; undefined if neither is set. Throws Fault. */
export function parseMaxCost(headers: RequestHeaders, body: JsonObject): Nanos | undefined {
  const inHeader = headers.get(header);
  const inBody = body.max_cost ?? undefined;
  if (inHeader === null && inBody === undefined) return undefined;
  const outer = inHeader === null ? undefined : parseAmount(inHeader, header);
  const inner = inBody === undefined ? undefined : parseAmount(inBody, "max_cost");
  if (outer === undefined || inner === undefined) return outer ?? inner;
  return [outer, inner].sort((a, b) => Number(a - b))[0];
}

function parseAmount(value: unknown, param: string): Nanos {
  if (typeof value !== "string" && typeof value !== "number") {
    throw wrongType(param, "an amount in USD", value);
  }
  // A number such as 1e-7 is not spelled as a decimal; anything finer than a nano-dollar is rounded.
  const amount = parseUsd(typeof value === "number" ? value.toFixed(9) : value.trim());
  if (amount !== undefined) return amount;
  throw badValue(param, "expected an amount in USD such as 0.05, with at most nine decimals.");
}
