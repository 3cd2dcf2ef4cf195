// Percentiles of durations that `pack_latency` counted: a sum of histograms, each slot twelve decimal digits. A slot is a
// tenth wide, so a percentile differs from the exact one by less than that.

const slotDigits = 12;
const slotsPerDecade = 24;
const lastSlot = 143;

/** How many calls took as long as each slot says; those at the end may be missing. */
export type Slots = readonly number[];

/** As `percentile_cont` counts, and even within a slot. Null without durations. */
export function percentileOf(slots: Slots, share: number): number | null {
  const total = slots.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const rank = share * (total - 1);
  let before = 0;
  for (const [slot, count] of slots.entries()) {
    if (rank < before + count) {
      const part = (rank - before + 0.5) / count;
      return 10 ** ((slot + Math.min(part, 1)) / slotsPerDecade);
    }
    before += count;
  }
  return 10 ** (slots.length / slotsPerDecade);
}

/** Of a sum of `pack_latency` as text; null is that of no call. */
export function parseSlots(counts: string | null): Slots {
  const slots: number[] = [];
  for (let end = counts?.length ?? 0; end > 0; end -= slotDigits) {
    slots.push(Number(counts?.slice(Math.max(end - slotDigits, 0), end)));
  }
  return slots;
}

/** Counts each duration in the slot in which `pack_latency` would. */
export function addDurations(slots: Slots, durationsMs: readonly number[]): Slots {
  if (durationsMs.length === 0) return slots;
  const added = [...slots];
  for (const ms of durationsMs) {
    const slot = Math.min(lastSlot, Math.floor(slotsPerDecade * Math.log10(Math.max(ms, 1))));
    added[slot] = (added[slot] ?? 0) + 1;
  }
  return Array.from(added, (count) => count ?? 0);
}

export function addSlots(one: Slots, other: Slots): Slots {
  const length = Math.max(one.length, other.length);
  return Array.from({ length }, (_, slot) => (one[slot] ?? 0) + (other[slot] ?? 0));
}
