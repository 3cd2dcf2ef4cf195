// Runs one operator command. Exit code 0: done; 1: it failed, and one sentence says why, or a check found
// mistakes; 2: the command line is wrong, and the usage shows the right one.

import { Fault } from "@turnpike/base";
import { CatalogError } from "@turnpike/catalog";
import {
  type Connection,
  describeDatabaseFault,
  errorCodeOf,
  isConnectionError,
  MigrationRefused,
} from "@turnpike/db";
import { type AdminConfig, ConfigError } from "../config.ts";
import { version } from "../version.ts";
import type { Report } from "./command.ts";
import { findDatabase, requireUrl } from "./find-database.ts";
import { openAdminConnection } from "./open-admin-connection.ts";
import { type ParsedCommand, parseCommand } from "./parse-command.ts";

type RunnableCommand = Extract<ParsedCommand, { kind: "command" }>;

const failed = 1;
const misused = 2;
const undefinedTable = "42P01";
const privilegeMissing = "42501";

export type Outcome = {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
};

/** Never throws. `readConfig` runs only for a valid command line. */
export async function runAdmin(
  args: readonly string[],
  readConfig: () => AdminConfig,
): Promise<Outcome> {
  const parsed = parseCommand(args);
  if (parsed.kind === "help") return succeed(parsed.usage);
  if (parsed.kind === "version")
    return succeed(parsed.asJson ? JSON.stringify({ version }) : version);
  if (parsed.kind === "mistake") return misuse(parsed.message, parsed.usage);
  try {
    const config = readConfig();
    if (config.mistakes.length > 0 && parsed.command.acceptsMistakes !== true) {
      throw new ConfigError(config.mistakes);
    }
    const report = await runCommand(parsed, config);
    const output = parsed.asJson ? JSON.stringify(report.json) : report.text.join("\n");
    return { ...succeed(output), exitCode: report.isWrong === true ? failed : 0 };
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.details.param !== undefined) {
      return misuse(`--${thrown.details.param}: ${thrown.message}`, parsed.usage);
    }
    return { exitCode: failed, stdout: "", stderr: `${describeFailure(thrown)}\n` };
  }
}

async function runCommand(
  { command, values }: RunnableCommand,
  config: AdminConfig,
): Promise<Report> {
  const place = findDatabase(config);
  const connections: Partial<Record<"url" | "ownerUrl", Connection>> = {};
  const open = (role: "url" | "ownerUrl") => () => {
    connections[role] ??= openAdminConnection(requireUrl(place, role));
    return connections[role].db;
  };
  const { isDevelopment } = place;
  const url = () => requireUrl(place, "url");
  const ownerUrl = () => requireUrl(place, "ownerUrl");
  const context = {
    config,
    isDevelopment,
    db: open("url"),
    ownerDb: open("ownerUrl"),
    url,
    ownerUrl,
  };
  try {
    return await command.run(context, values);
  } finally {
    await Promise.all(Object.values(connections).map((connection) => connection.close()));
  }
}

function succeed(output: string): Outcome {
  return { exitCode: 0, stdout: `${output}\n`, stderr: "" };
}

function misuse(message: string, usage: string): Outcome {
  return { exitCode: misused, stdout: "", stderr: `${message}\n\n${usage}\n` };
}

function capitalize(sentence: string): string {
  return `${sentence[0]?.toUpperCase()}${sentence.slice(1)}`;
}

function describeFailure(thrown: unknown): string {
  if (thrown instanceof Fault || thrown instanceof CatalogError || thrown instanceof ConfigError) {
    return thrown.message;
  }
  if (thrown instanceof MigrationRefused) return capitalize(thrown.message);
  const fault = describeDatabaseFault(thrown);
  if (fault !== undefined) return capitalize(fault);
  const code = errorCodeOf(thrown);
  if (isConnectionError(thrown)) {
    return `The database does not answer (${code}). Check DATABASE_URL, or whether \`bun dev\` runs.`;
  }
  if (code === undefinedTable)
    return "The database has no Turnpike tables: run `bun run admin migrate`.";
  if (code === privilegeMissing) {
    return "This database role may not do that. Set DATABASE_MIGRATION_URL to that of the tables' owner.";
  }
  if (!(thrown instanceof Error)) return String(thrown);
  const reason = thrown.cause instanceof Error ? thrown.cause : thrown;
  return reason.message;
}
