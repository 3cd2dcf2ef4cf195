// The message for a failed request, and the one next step.
import { formatCost } from "../../../lib/format.ts";
import type { Failure } from "../../../product/completions/run-completion.ts";

type WayOn = "funds" | "model" | "provider" | "retry" | undefined;

/** `provider`: the only one that might have answered. */
export type FailureOfProvider = Failure & { readonly provider?: string | undefined };

type Described = { readonly text: string; readonly detail: string; readonly wayOn: WayOn };

type Known = { readonly text: string; readonly wayOn?: WayOn; readonly tellsMore?: true };

const known: Readonly<Record<string, Known>> = {
  unauthenticated: { text: "Sign in again to continue." },
  offline: { text: "The connection was lost.", wayOn: "retry" },
  rate_limit_exceeded: {
    text: "Too many requests. Try again in a moment.",
    wayOn: "retry",
    tellsMore: true,
  },
  model_not_found: { text: "This model is no longer available.", wayOn: "model" },
  model_not_allowed: { text: "This model is not allowed here.", wayOn: "model", tellsMore: true },
};

const modelCodes = ["bad_gateway", "upstream_timeout", "upstream_rejected", "overloaded"];

/** `partial`: there is text already, and it stays. */
export function describeRunFailure(failure: FailureOfProvider, partial: boolean): Described {
  const { code, message: detail, metadata, provider } = failure;
  if (metadata.reason === "frozen") {
    return { text: "This account is frozen after a refund or dispute.", detail, wayOn: "funds" };
  }
  if (code === "insufficient_quota") {
    const text = "Your balance is too low for this request.";
    return { text, detail: moneyOf(metadata), wayOn: "funds" };
  }
  if (Object.hasOwn(known, code) && !(partial && code === "offline")) {
    const { text = "", wayOn, tellsMore } = known[code] ?? {};
    return { text, detail: tellsMore ? detail : "", wayOn };
  }
  if (partial) return { text: "Response interrupted.", detail, wayOn: "retry" };
  if (!modelCodes.includes(code)) return { text: "The request failed.", detail, wayOn: "retry" };
  return provider === undefined
    ? { text: "This model is unavailable right now.", detail, wayOn: "model" }
    : { text: `${provider} is unavailable right now.`, detail, wayOn: "provider" };
}

function moneyOf(metadata: Failure["metadata"]): string {
  const { needed_usd: needed, available_usd: available } = metadata;
  if (!isAmount(needed) || !isAmount(available)) return "";
  return `It needs up to ${formatCost(needed)}; ${formatCost(available)} is available.`;
}

function isAmount(value: unknown): value is string {
  return typeof value === "string" && /^-?\d{1,20}(?:\.\d{1,12})?$/.test(value);
}
