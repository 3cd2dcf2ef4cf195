// Finds the database of an operator command: DATABASE_URL, else the running development instance.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "@turnpike/base";
import type { AdminConfig } from "../config.ts";

export type DatabasePlace = {
  readonly url: string | undefined;
  /** Of the role that owns the tables: only it may credit an account. */
  readonly ownerUrl: string | undefined;
  readonly isDevelopment: boolean;
};

export function findDatabase(config: AdminConfig): DatabasePlace {
  const { DATABASE_URL: url, DATABASE_MIGRATION_URL: ownerUrl = url } = config;
  if (url !== undefined) return { url, ownerUrl, isDevelopment: false };
  const running = readDevelopmentUrls(join(config.DATA_DIR, "dev.json"));
  if (running.url !== undefined) return { ...running, isDevelopment: true };
  return { url, ownerUrl, isDevelopment: false };
}

/** Throws `not_found` with what to do about it. */
export function requireUrl(place: DatabasePlace, role: "url" | "ownerUrl"): string {
  const { [role]: url } = place;
  if (url !== undefined) return url;
  throw new Fault("not_found", "No database: set DATABASE_URL, or start `bun dev` first.");
}

const noUrls = { url: undefined, ownerUrl: undefined };

/** Without URLs if no instance runs: an instance removes the file when it ends. */
function readDevelopmentUrls(path: string): Pick<DatabasePlace, "url" | "ownerUrl"> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return noUrls;
  }
  try {
    const { databaseUrl: url, databaseOwnerUrl: ownerUrl = url } = JSON.parse(text);
    return typeof url === "string" && typeof ownerUrl === "string" ? { url, ownerUrl } : noUrls;
  } catch {
    return noUrls;
  }
}
