// Percentiles of durations that `pack_latency` counted: a sum of histograms, each slot twelve decimal digits. A slot is a
// tenth wide, so a percentile differs from the exact one by less than that.

const slotDigits = 12;
const slotsPerDecade = 24;

/** As `percentile_cont` counts, and even within a slot. Null without durations. */
export function percentileOf(counts: string | null, share: number): number | null {
  const slots = readSlots(counts);
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

function readSlots(counts: string | null): number[] {
  const slots: number[] = [];
  for (let end = counts?.length ?? 0; end > 0; end -= slotDigits) {
    slots.push(Number(counts?.slice(Math.max(end - slotDigits, 0), end)));
  }
  return slots;
}
