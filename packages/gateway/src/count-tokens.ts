// The tokens of a prompt, by our own count: admitted like a call, so that counting is limited in the same
// and free, because nothing is called or held: what bounds it is time. Neither a broken route nor a short context matters.
import { Fault, toFault } from "@turnpike/base";
import { estimatePromptTokens } from "@turnpike/catalog";
import { nameForCaller, type ParsedRequest } from "@turnpike/wire";
import { admitRequest } from "./admit-request.ts";
import type { Gateway, Principal } from "./gateway.ts";

/** Bounds the work: seconds of it. Twice the longest context that is sold. */
const countedMax = 2_000_000;

export type TokenCount = {
  readonly promptTokens: number;
  readonly headers: Readonly<Record<string, string>>;
};

type Counts = Pick<Gateway, "catalog" | "limiter" | "routeHealth" | "countBudget">;

/**
 * Rejects with the Fault of the first rule that would refuse the request, except for its length, and once
 * `signal` aborts.
 */
export async function countTokens(
  gateway: Counts,
  principal: Principal,
  request: ParsedRequest,
  signal: AbortSignal,
): Promise<TokenCount> {
  try {
    return await count(gateway, principal, request, signal);
  } catch (thrown) {
    throw nameForCaller(toFault(thrown), request);
  }
}

async function count(
  gateway: Counts,
  principal: Principal,
  request: ParsedRequest,
  signal: AbortSignal,
): Promise<TokenCount> {
  const { accountId } = principal;
  const { plan, admission } = await admitRequest(gateway, principal, request, "measure");
  try {
    const time = gateway.countBudget.take(accountId, request.textBytes);
    try {
      const caller = { accountId, signal, onSpent: time.spend };
      const promptTokens = await estimatePromptTokens(plan.matched, caller, countedMax + 1);
      if (promptTokens > countedMax) throw tooMany();
      return { promptTokens, headers: admission.headers };
    } finally {
      time.end();
    }
  } finally {
    admission.end(0);
  }
}

function tooMany(): Fault {
  const most = countedMax.toLocaleString("en-US");
  return new Fault(
    "context_length_exceeded",
    `Prompts are counted up to ${most} tokens, and this one has more.`,
    { param: "messages" },
  );
}
