// Reads an operator's command line: either a command with all it needs, or what is wrong with it.

import { parseArgs } from "node:util";
import { accountCommands } from "./account-commands.ts";
import { bookCommands } from "./book-commands.ts";
import { catalogCommands } from "./catalog-commands.ts";
import type { Command } from "./command.ts";
import { keyCommands } from "./key-commands.ts";
import { topUpCommands } from "./top-up-commands.ts";

const commands: Readonly<Record<string, Command>> = {
  ...accountCommands,
  ...keyCommands,
  ...catalogCommands,
  ...topUpCommands,
  ...bookCommands,
};

export type ParsedCommand =
  | { readonly kind: "help" }
  | { readonly kind: "mistake"; readonly message: string }
  | {
      readonly kind: "command";
      readonly command: Command;
      readonly values: Readonly<Record<string, string>>;
      readonly asJson: boolean;
    };

export function parseCommand(args: readonly string[]): ParsedCommand {
  let parsed: ReturnType<typeof readArguments>;
  try {
    parsed = readArguments(args);
  } catch (thrown) {
    return mistake(thrown instanceof Error ? thrown.message : String(thrown));
  }
  const { help, json, ...given } = parsed.values;
  if (help === true) return { kind: "help" };
  const name = parsed.positionals.join(" ");
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    return mistake(name === "" ? "Name a command." : `There is no command "${name}".`);
  }
  const values: Record<string, string> = {};
  for (const [option, value] of Object.entries(given)) {
    if (![...command.required, ...command.optional].includes(option)) {
      return mistake(`"${name}" takes no --${option}.`);
    }
    if (typeof value === "string") values[option] = value;
  }
  const missing = command.required.filter((option) => values[option] === undefined);
  if (missing.length > 0) {
    return mistake(`"${name}" needs ${missing.map((option) => `--${option}`).join(" and ")}.`);
  }
  return { kind: "command", command, values, asJson: json === true };
}

const stringOptions = [
  ...new Set(
    Object.values(commands).flatMap(({ required, optional }) => [...required, ...optional]),
  ),
];

/** Throws a sentence about an option that no command has, or that lacks its value. */
function readArguments(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    options: {
      ...Object.fromEntries(stringOptions.map((name) => [name, { type: "string" as const }])),
      json: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
    allowPositionals: true,
    strict: true,
  });
}

function mistake(message: string): ParsedCommand {
  return { kind: "mistake", message };
}

export function describeUsage(): string {
  const lines = Object.entries(commands).map(([name, command]) => {
    const options = [
      ...command.required.map((option) => `--${option} …`),
      ...command.optional.map((option) => `[--${option} …]`),
    ];
    return `  ${[name, ...options].join(" ")}\n      ${command.summary}`;
  });
  return [
    "Usage: bun run admin COMMAND [--json]",
    "",
    ...lines,
    "",
    "--json prints one object. DATABASE_URL says where, else the running development instance.",
  ].join("\n");
}
