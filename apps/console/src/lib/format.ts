// Formatting of numbers, money and time, in one place for all pages.

export * from "./format/count.ts";
export { addDecimals, compareDecimals } from "./format/decimal.ts";
export * from "./format/money.ts";
export * from "./format/time.ts";
export { dayOf, isDay, nextDay, startOfDay } from "./format/zoned-day.ts";
