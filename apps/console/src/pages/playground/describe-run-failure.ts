// The message for a failed request, and the one next step.
import { formatCost } from "../../lib/format.ts";
import type { Failure } from "./run-completion.ts";
import { t } from "./texts.ts";

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
    return { text: t("failure.frozen"), detail: message, wayOn: "funds" };
  if (code === "insufficient_quota") {
    return { text: t("failure.balance"), detail: moneyOf(metadata), wayOn: "funds" };
  }
  if (code === "unauthenticated") {
    return { text: t("failure.unauthenticated"), detail: "", wayOn: undefined };
  }
  if (code === "offline") {
    return { text: partial ? t("failure.cut") : t("failure.offline"), detail: "", wayOn: "retry" };
  }
  if (code === "rate_limit_exceeded") {
    return { text: t("failure.rate"), detail: message, wayOn: "retry" };
  }
  if (code === "model_not_found") {
    return { text: t("failure.gone"), detail: "", wayOn: "model" };
  }
  if (partial) return { text: t("failure.cut"), detail: message, wayOn: "retry" };
  if (modelCodes.includes(code))
    return { text: t("failure.model"), detail: message, wayOn: "model" };
  return { text: t("failure.other"), detail: message, wayOn: "retry" };
}

function moneyOf(metadata: Failure["metadata"]): string {
  const { needed_usd: needed, available_usd: available } = metadata;
  if (!isAmount(needed) || !isAmount(available)) return "";
  return t("failure.needed", { needed: formatCost(needed), available: formatCost(available) });
}

function isAmount(value: unknown): value is string {
  return typeof value === "string" && /^-?\d{1,20}(?:\.\d{1,12})?$/.test(value);
}
