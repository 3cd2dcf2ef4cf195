// What an operator reads when the server cannot start, and the exit code that goes with it.
import { CatalogError } from "@turnpike/catalog";
import {
  describeDatabaseFault,
  errorCodeOf,
  isConnectionError,
  MigrationRefused,
  SchemaUnfit,
} from "@turnpike/db";
import { ConfigError } from "./config.ts";

/** sysexits.h EX_CONFIG. */
export const configurationExitCode = 78;

/** Prints why the start failed and ends the process: 78 for a wrong configuration, else 1. */
export function exitAfterStartFailure(error: unknown): never {
  if (error instanceof ConfigError || error instanceof CatalogError) {
    process.stderr.write(`Turnpike cannot start:\n${error.message}\n`);
    process.exit(configurationExitCode);
  }
  process.stderr.write(`Turnpike cannot start: ${describeStartFailure(error)}\n`);
  process.exit(1);
}

/** What failed while the database that a setting names was used. */
export class DatabaseFailure extends Error {
  override readonly name = "DatabaseFailure";
  readonly setting: string;
  constructor(setting: string, cause: unknown) {
    super(`the database of ${setting} failed`, { cause });
    this.setting = setting;
  }
}

/** All mistakes that it carries, or what describeStartFailure says. */
export function sentencesOf(error: unknown): readonly string[] {
  return error instanceof ConfigError || error instanceof CatalogError
    ? error.message.split("\n")
    : [describeStartFailure(error)];
}

/** One sentence for what an operator can fix; the stack for everything else. */
export function describeStartFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof DatabaseFailure) return describeFailure(error.cause, error.setting);
  return describeFailure(error);
}

function describeFailure(error: unknown, setting?: string): string {
  if (!(error instanceof Error)) return String(error);
  const code = errorCodeOf(error) ?? "";
  if (code === "EADDRINUSE") return "another process listens on this port. Set PORT to a free one.";
  if (error instanceof MigrationRefused || error instanceof SchemaUnfit) return error.message;
  const fault = describeDatabaseFault(error, setting);
  if (fault !== undefined) return fault;
  if (isConnectionError(error)) {
    return `the database does not answer. Check ${setting ?? "DATABASE_URL"}.`;
  }
  if (refusedEntry.test(code)) {
    const settings = setting ?? "DATABASE_URL and DATABASE_MIGRATION_URL";
    return `${innermost(error).message}. Check ${settings}.`;
  }
  if (code === "EACCES" && !("path" in error)) {
    return "this port needs special rights. Set PORT to one above 1023.";
  }
  if (/^E(?:NOENT|ACCES|ISDIR)$/.test(code)) return `${error.message}. Check CATALOG_FILE.`;
  return error.stack ?? error.message;
}

/**
 * A wrong password, an unknown database, a missing right: PostgreSQL's own message is already a
 * sentence.
 */
const refusedEntry = /^(?:28|3D)|^42501$/;

/** The driver's own error, however deep a query builder wrapped it. */
function innermost(error: Error): Error {
  return error.cause instanceof Error ? innermost(error.cause) : error;
}
