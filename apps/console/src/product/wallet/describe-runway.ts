// How long the balance lasts, in words.
import { counted } from "../../lib/plural.ts";

export function describeRunway(days: number): string {
  const count = Math.floor(days);
  if (count > 365) return "More than a year left at your 7-day average";
  return count < 1
    ? "Less than a day left at your 7-day average"
    : `About ${counted(count, "day")} left at your 7-day average`;
}
