// Numbers, money and times as people read them: in the console, in mails and in the text of commands. There is one
// formatter for each kind of quantity, so that an amount reads the same wherever it is shown.
export { formatBytes } from "./bytes.ts";
export * from "./count.ts";
export { language, setLanguage } from "./locale.ts";
export * from "./money.ts";
export * from "./time.ts";
export { formatUnitCount } from "./units.ts";
export { dayOf, isDay, nextDay, startOfDay } from "./zoned-day.ts";
