// Reads the text of a catalog file, and says what to do about one that cannot be read.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Fault } from "@turnpike/base";
import { errorCodeOf } from "@turnpike/db";

/** Throws `not_found`. */
export function readCatalogText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new Fault("not_found", describeUnreadable(path, errorCodeOf(error)), { cause: error });
  }
}

/** The absolute path also shows which folder a relative one was looked up in. */
function describeUnreadable(path: string, code: string | undefined): string {
  const file = resolve(path);
  const advice = "Name the catalog by --file PATH or CATALOG_FILE.";
  if (code === "ENOENT") return `The file ${file} does not exist. ${advice}`;
  if (code === "EISDIR") return `${file} is a folder. ${advice}`;
  if (code === "EACCES") return `This user may not read the file ${file}.`;
  return `The file ${file} cannot be read (${code}). ${advice}`;
}
