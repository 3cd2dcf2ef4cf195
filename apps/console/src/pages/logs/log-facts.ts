// What is known of a request, as titles and texts: for its sheet, and to compare two.
import { formatCount, formatSpeed, formatUnitCount } from "../../lib/format.ts";
import { operationNames } from "../../product/usage/usage-names.ts";
import { keyLabel } from "./filter-values.ts";
import type { LogDetail } from "./use-log-detail.ts";

export type Fact = readonly [title: string, value: string];

const sourceNames = {
  upstream: "the provider",
  counted: "us, because the provider did not report it",
  estimated: "estimate: the maximum it can have been",
} as const;

/** Unknown values are omitted. */
export function factsOf(of: LogDetail): readonly Fact[] {
  return known([
    ["Operation", operationNames[of.operation]],
    ["Key", keyLabel(of)],
    ["Provider", of.provider],
    ["Tokens", `${formatCount(of.promptTokens)} in, ${formatCount(of.completionTokens)} out`],
    ["Billed units", of.units.map(formatUnitCount).join("; ")],
    ["Speed", speedOf(of)],
    ["Cached input", of.cachedTokens > 0 ? formatCount(of.cachedTokens) : null],
    ["Reasoning", of.reasoningTokens > 0 ? formatCount(of.reasoningTokens) : null],
    ["Service tier", of.serviceTier],
    ["Not supported, ignored", of.ignored.length > 0 ? of.ignored.join(", ") : null],
    ["Response cache, billed as", of.cachedFrom],
    ["Counted by", of.usageSource === "none" ? null : sourceNames[of.usageSource]],
    ["Streamed", of.streamed ? "Yes" : "No"],
    [
      "Output limit",
      of.maxTokens === null
        ? null
        : `${formatCount(of.maxTokens)} tokens (reduced to fit your balance)`,
    ],
    ["Finish reason", finishOf(of)],
    ["App", of.app],
    ["User", of.user],
    ["Client", of.userAgent],
    ["Request id", of.requestId],
    ["Completion id", of.chatId],
    ["Price version", of.priceVersion],
  ]);
}

export function known(
  facts: readonly (readonly [title: string, value: string | null | undefined])[],
): readonly Fact[] {
  return facts.flatMap(([title, value]) => (value ? [[title, value] as const] : []));
}

/** Between the first token and the last; a whole answer has no first token of its own. */
function speedOf({ streamed, completionTokens, firstTokenMs, totalMs }: LogDetail): string | null {
  if (!streamed || firstTokenMs === null || totalMs === null) return null;
  if (completionTokens < 2 || totalMs <= firstTokenMs) return null;
  return formatSpeed(completionTokens, totalMs - firstTokenMs);
}

function finishOf({ finishReason: finish, nativeFinishReason: native }: LogDetail): string | null {
  if (finish === null || (native ?? finish) === finish) return finish;
  return `${finish} (provider: ${native})`;
}
