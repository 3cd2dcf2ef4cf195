// Calendar days of a time zone: when a day begins, and on which day an instant falls.

const dayMs = 86_400_000;
const minuteMs = 60_000;

/** `2026-11-12` in that zone. */
export function dayOf(at: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  }).formatToParts(at);
  const part = (type: string) => parts.find((known) => known.type === type)?.value ?? "";
  return `${part("year")}-${part("month")}-${part("day")}`;
}

/** The first instant of a day, also where clocks change; undefined for an invalid day. */
export function startOfDay(day: string, timeZone: string): Date | undefined {
  const utc = isDay(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(utc)) return undefined;
  // No zone is further than a day from UTC, so the first instant of the day lies in between.
  let before = utc - dayMs;
  let within = utc + dayMs;
  while (within - before > minuteMs) {
    const middle = before + Math.floor((within - before) / 2 / minuteMs) * minuteMs;
    if (dayOf(new Date(middle), timeZone) < day) before = middle;
    else within = middle;
  }
  return new Date(within);
}

/** The day after; both as `2026-11-12`. */
export function nextDay(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + dayMs).toISOString().slice(0, 10);
}

/** Rejects days that do not exist, such as 30 February. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}
