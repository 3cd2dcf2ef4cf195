// How long the balance lasts, in words.
import { t } from "./texts.ts";

export function describeRunway(days: number): string {
  const count = Math.floor(days);
  if (count > 365) return t("runway.long");
  return count < 1 ? t("runway.short") : t("runway.days", { count });
}
