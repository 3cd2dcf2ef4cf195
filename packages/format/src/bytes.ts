// Formats sizes of files.
import { numberFormat } from "./locale.ts";

const powers = ["B", "KiB", "MiB", "GiB", "TiB"] as const;

/** `512 B`, `1.4 KiB`, `20 MiB`: with a decimal below 10. */
export function formatBytes(bytes: number): string {
  let size = bytes;
  let power = 0;
  while (size >= 1_024 && power < powers.length - 1) {
    size /= 1_024;
    power += 1;
  }
  const digits = power > 0 && size < 9.95 ? 1 : 0;
  return `${numberFormat({ maximumFractionDigits: digits }).format(size)} ${powers[power]}`;
}
