// Formatting of numbers, money and time, in one place for all pages.

export {
  formatChange,
  formatCompact,
  formatCount,
  formatDuration,
  formatShare,
  formatSpeed,
  formatWait,
  noData,
} from "./format/count.ts";
export {
  addDecimals,
  compareDecimals,
} from "./format/decimal.ts";
export {
  decimalsOfRates,
  decimalsOfSums,
  decimalsToSay,
  formatAmount,
  formatBalance,
  formatCost,
  formatExactUsd,
  formatInColumn,
  formatPrice,
  formatRate,
  formatShortAmount,
  formatSigned,
  formatSum,
  formatUsd,
  isExactWith,
} from "./format/money.ts";
export {
  browserTimeZone,
  formatClock,
  formatDate,
  formatDateTime,
  formatDay,
  formatInstant,
  formatMoment,
  formatRelative,
  formatReset,
} from "./format/time.ts";
export { dayOf, isDay, nextDay, startOfDay } from "./format/zoned-day.ts";
