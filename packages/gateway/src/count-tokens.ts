// The tokens of a prompt, by our own count: admitted like a call, so that counting is limited like one,
// and free, because nothing is called or held.
import { estimatePromptTokens, refuseOverlongPrompt } from "@turnpike/catalog";
import type { ParsedRequest } from "@turnpike/wire";
import { admitRequest } from "./admit-request.ts";
import type { Gateway, Principal } from "./gateway.ts";

export type TokenCount = {
  readonly promptTokens: number;
  readonly headers: Readonly<Record<string, string>>;
};

/** Rejects with the Fault of the first rule that would refuse the request. */
export async function countTokens(
  gateway: Pick<Gateway, "catalog" | "limiter" | "routeHealth">,
  principal: Principal,
  request: ParsedRequest,
): Promise<TokenCount> {
  const { plan, admission } = admitRequest(gateway, principal, request);
  try {
    // Bounds the work, too.
    await refuseOverlongPrompt(plan.asked, principal.accountId);
    const promptTokens = await estimatePromptTokens(plan.asked, principal.accountId);
    return { promptTokens, headers: admission.headers };
  } finally {
    admission.end(0);
  }
}
