// The message for a failed request, and the one next step.
import { formatCost } from "../../lib/format.ts";
import type { Failure } from "../shared/run-completion.ts";

export type WayOn = "funds" | "model" | "retry" | undefined;

export type Described = { readonly text: string; readonly detail: string; readonly wayOn: WayOn };

const modelCodes: readonly string[] = [
  "bad_gateway",
  "upstream_timeout",
  "upstream_rejected",
  "overloaded",
  "model_not_found",
];

/** `partial`: there is text already, and it stays. */
export function describeRunFailure(failure: Failure, partial: boolean): Described {
  const { code, message, metadata } = failure;
  if (metadata.reason === "frozen")
    return {
      text: "This account is frozen after a refund or dispute.",
      detail: message,
      wayOn: "funds",
    };
  if (code === "insufficient_quota") {
    return {
      text: "Your balance is too low for this request.",
      detail: moneyOf(metadata),
      wayOn: "funds",
    };
  }
  if (code === "unauthenticated") {
    return { text: "Sign in again to continue.", detail: "", wayOn: undefined };
  }
  if (code === "offline") {
    return {
      text: partial ? "Response interrupted." : "The connection was lost.",
      detail: "",
      wayOn: "retry",
    };
  }
  if (code === "rate_limit_exceeded") {
    return { text: "Too many requests. Try again in a moment.", detail: message, wayOn: "retry" };
  }
  if (code === "model_not_found") {
    return { text: "This model is no longer available.", detail: "", wayOn: "model" };
  }
  if (code === "model_not_allowed") {
    return { text: "This model is not allowed here.", detail: message, wayOn: "model" };
  }
  if (partial) return { text: "Response interrupted.", detail: message, wayOn: "retry" };
  if (modelCodes.includes(code))
    return { text: "This model is unavailable right now.", detail: message, wayOn: "model" };
  return { text: "The request failed.", detail: message, wayOn: "retry" };
}

function moneyOf(metadata: Failure["metadata"]): string {
  const { needed_usd: needed, available_usd: available } = metadata;
  if (!isAmount(needed) || !isAmount(available)) return "";
  return `It needs up to ${formatCost(needed)}; ${formatCost(available)} is available.`;
}

function isAmount(value: unknown): value is string {
  return typeof value === "string" && /^-?\d{1,20}(?:\.\d{1,12})?$/.test(value);
}
