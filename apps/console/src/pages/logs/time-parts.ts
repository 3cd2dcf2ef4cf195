// How the time of a request was divided: where its attempts say when they began, one after the other, else shares of
// the whole, which all begin at its start. No part reaches beyond the end of the request.

import type { LogDetail } from "./use-log-detail.ts";

type Part = {
  readonly title: string;
  /** Since the request was received. */
  readonly fromMs: number;
  readonly ms: number;
  readonly failed?: boolean;
};

export function partsOf(of: LogDetail): readonly Part[] {
  if (of.totalMs === null) return [];
  return (phasesOf(of, of.totalMs) ?? sharesOf(of, of.totalMs)).filter(({ ms }) => ms > 0);
}

/** Undefined unless every attempt says when it began and how long it was waited for. */
function phasesOf({ attempts, firstTokenMs, streamed }: LogDetail, totalMs: number) {
  const tries = attempts.flatMap(({ provider, status, startedMs, waitedMs }, index): Part[] => {
    if (startedMs === undefined || waitedMs === undefined) return [];
    const fromMs = Math.min(startedMs, totalMs);
    return [
      {
        title: attempts.length > 1 ? `${provider}, attempt ${index + 1}` : provider,
        fromMs,
        ms: Math.min(waitedMs, totalMs - fromMs),
        failed: status !== 200,
      },
    ];
  });
  const [first] = tries;
  if (first === undefined || tries.length < attempts.length) return undefined;
  const rest: Part[] =
    streamed && firstTokenMs !== null
      ? [{ title: "Rest of the answer", fromMs: firstTokenMs, ms: totalMs - firstTokenMs }]
      : [];
  return [{ title: "Checks and reservation", fromMs: 0, ms: first.fromMs }, ...tries, ...rest];
}

/** They are not one after the other: the gateway also works between attempts. */
function sharesOf(
  { overheadMs, firstTokenMs, streamed }: LogDetail,
  totalMs: number,
): readonly Part[] {
  if (overheadMs === null) return [];
  const gatewayMs = Math.min(overheadMs, totalMs);
  // A whole answer has no first token of its own.
  const firstMs = streamed && firstTokenMs !== null ? Math.max(firstTokenMs, gatewayMs) : totalMs;
  const waitedMs = Math.min(firstMs, totalMs) - gatewayMs;
  const isStream = firstMs < totalMs;
  return [
    { title: "Gateway", fromMs: 0, ms: gatewayMs },
    { title: isStream ? "Provider, first token" : "Provider", fromMs: 0, ms: waitedMs },
    { title: "Provider, rest of the answer", fromMs: 0, ms: totalMs - gatewayMs - waitedMs },
  ];
}
