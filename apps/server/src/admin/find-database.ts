// Finds the database of an operator command: DATABASE_URL, else the running development instance.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "@turnpike/base";
import type { AdminConfig } from "../config.ts";

export type DatabasePlace = {
  readonly url: string | undefined;
  readonly isDevelopment: boolean;
};

export function findDatabase(config: AdminConfig): DatabasePlace {
  if (config.DATABASE_URL !== undefined) return { url: config.DATABASE_URL, isDevelopment: false };
  const url = readDevelopmentUrl(join(config.DATA_DIR, "dev.json"));
  return { url, isDevelopment: url !== undefined };
}

/** Throws `not_found` with what to do about it. */
export function requireUrl(place: DatabasePlace): string {
  if (place.url !== undefined) return place.url;
  throw new Fault("not_found", "No database: set DATABASE_URL, or start `bun dev` first.");
}

/** Undefined if no instance runs: an instance removes the file when it ends. */
function readDevelopmentUrl(path: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
  try {
    const { databaseUrl } = JSON.parse(text);
    return typeof databaseUrl === "string" ? databaseUrl : undefined;
  } catch {
    return undefined;
  }
}
