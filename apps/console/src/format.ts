// Numbers, money and time for people; pages take them from here.

export {
  formatChange,
  formatCompact,
  formatCount,
  formatDuration,
  formatShare,
  formatSpeed,
  noData,
} from "./format/count.ts";
export { addDecimals, compareDecimals } from "./format/decimal.ts";
export {
  formatAmount,
  formatBalance,
  formatCost,
  formatExactUsd,
  formatPrice,
  formatRate,
  formatShortAmount,
  formatSigned,
  formatUsd,
} from "./format/money.ts";
export {
  browserTimeZone,
  formatClock,
  formatDate,
  formatDateTime,
  formatDay,
  formatMoment,
  formatRelative,
  formatReset,
} from "./format/time.ts";
export { dayOf, isDay, nextDay, startOfDay } from "./format/zoned-day.ts";
