// The newest rows of a list as a file, oldest first; where there are more, its last line says so.
import { writeCsv } from "@turnpike/terms";

/** How many rows a file has at most. */
export const csvRowsMax = 100_000;

/** Of at most `csvRowsMax` rows, newest first; `isCut` says that there are more. */
export function writeNewestCsv(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  isCut: boolean,
): string {
  return writeCsv(header, [...rows.toReversed(), ...(isCut ? [[cutNotice]] : [])]);
}

const cutNotice = `This file ends here: it has the newest ${csvRowsMax.toLocaleString("en")} rows and there are older ones. Choose a shorter time.`;
