// Which budget is nearest to its limit, and which is reached first if spending goes on as in its period so far.
// From exact strings, for order and for estimates only: what is shown as an amount is never computed here.
import type { Budget } from "../../product/limits/use-budgets.ts";

/** Of its period: before, a single call would look like a pace. */
const shareOverMin = 0.05;
const dayMs = 86_400_000;
/** The farthest a midnight lies from that of UTC. */
const zoneMaxMs = 14 * 3_600_000;

/** Spent and held, of the limit: 1 and more is reached. */
export function shareUsed({ spentUsd, heldUsd, limitUsd }: Budget): number {
  const limit = Number(limitUsd);
  return limit === 0 ? 1 : (Number(spentUsd) + Number(heldUsd)) / limit;
}

/** The nearest to its limit first; of equals those that refuse calls, then as they were. */
export function orderByUse(budgets: readonly Budget[]): readonly Budget[] {
  return budgets.toSorted((a, b) => shareUsed(b) - shareUsed(a) || Number(b.hard) - Number(a.hard));
}

export type NextReached = {
  readonly budget: Budget;
  /** Null if it is reached already. */
  readonly at: Date | null;
};

/** Undefined if none is reached before it resets. A budget in total has no period to tell a pace from. */
export function nextReached(budgets: readonly Budget[], now: Date): NextReached | undefined {
  const candidates = orderByUse(budgets).flatMap((budget): NextReached[] => {
    if (shareUsed(budget) >= 1) return [{ budget, at: null }];
    const at = reachedAt(budget, now);
    return at === undefined ? [] : [{ budget, at }];
  });
  return candidates.toSorted((a, b) => (a.at?.getTime() ?? 0) - (b.at?.getTime() ?? 0))[0];
}

function reachedAt(budget: Budget, now: Date): Date | undefined {
  if (budget.resetsAt === null) return undefined;
  const resetsAt = new Date(budget.resetsAt);
  const startsAt = startOf(budget, resetsAt);
  const elapsedMs = now.getTime() - startsAt.getTime();
  const share = shareUsed(budget);
  const periodMs = resetsAt.getTime() - startsAt.getTime();
  if (elapsedMs < shareOverMin * periodMs || share === 0) return undefined;
  const at = new Date(now.getTime() + (elapsedMs * (1 - share)) / share);
  return at < resetsAt ? at : undefined;
}

/** Of its current period; a change to or from summer time makes it an hour less exact. */
function startOf({ period }: Budget, resetsAt: Date): Date {
  const days = { day: 1, week: 7, month: daysOfMonthBefore(resetsAt), total: 0 }[period];
  return new Date(resetsAt.getTime() - days * dayMs);
}

/** The reset is a midnight of the first of a month somewhere: in UTC it may still be the last of the one before. */
function daysOfMonthBefore(resetsAt: Date): number {
  const first = new Date(resetsAt.getTime() + zoneMaxMs);
  return new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth(), 0)).getUTCDate();
}
