// The header that says what an answer cost whose body has no place for it: plain text.
import { formatUsd } from "@turnpike/terms";
import type { ParsedRequest } from "@turnpike/wire";
import type { Completion } from "./completion.ts";

/** In USD. */
export const costHeader = "x-turnpike-cost";

const noHeaders = {};

export function statedCost<Request extends ParsedRequest>({
  call,
  request,
  bill,
}: Completion<Request>): Record<string, string> {
  const type = call.protocol.wholeType?.(request);
  if (bill === undefined || type?.startsWith("text/") !== true) return noHeaders;
  return { [costHeader]: formatUsd(bill.costNanos) };
}
