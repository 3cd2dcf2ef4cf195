// Reads the operator's database of places (`GEO_FILE`) into memory, at the start: a newer file counts after a restart.
import { readFileSync } from "node:fs";
import { type FindPlace, openPlaces } from "@turnpike/auth";
import { ConfigError } from "./config.ts";

/** Throws ConfigError for a file that is missing or no such database. */
export function readPlaces(path: string): FindPlace {
  try {
    return openPlaces(readFileSync(path));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigError([
      `GEO_FILE: ${path} is no database of places in the MMDB format, such as GeoLite2 City (${why}).`,
    ]);
  }
}
