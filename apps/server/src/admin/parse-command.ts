// Reads an operator's command line: either a command with all its options, or what is wrong with it.

import { parseArgs } from "node:util";
import { bookCommands } from "./book-commands.ts";
import { type Command, placeholderOf } from "./command.ts";
import { distributeCommand } from "./distribute-command.ts";
import { doctorCommand } from "./doctor-command.ts";
import { migrateCommand } from "./migrate-command.ts";
import { requestCommands } from "./request-commands.ts";
import { signingKeyCommands } from "./signing-key-commands.ts";
import { verbCommands } from "./verb-commands.ts";

const commands: Readonly<Record<string, Command>> = {
  ...verbCommands,
  ...bookCommands,
  ...requestCommands,
  ...signingKeyCommands,
  ...migrateCommand,
  ...distributeCommand,
  ...doctorCommand,
};

/** For tests that walk all of them. */
export const commandNames: readonly string[] = Object.keys(commands);

/** The options without which a command is refused. */
export function requiredOptions(name: string): readonly string[] {
  return commands[name]?.required ?? [];
}

const optionNames = Object.values(commands).flatMap(({ required, optional, aliases = {} }) => [
  ...required,
  ...optional,
  ...Object.keys(aliases),
]);

const flagNames = Object.values(commands).flatMap(({ flags = [] }) => flags);

const options = {
  ...Object.fromEntries(optionNames.map((name) => [name, { type: "string" as const }])),
  ...Object.fromEntries(flagNames.map((name) => [name, { type: "boolean" as const }])),
  json: { type: "boolean" as const },
  help: { type: "boolean" as const, short: "h" },
  version: { type: "boolean" as const },
};

/** `usage` is that of the command, or of all commands whose names begin with what was given. */
export type ParsedCommand = { readonly usage: string } & (
  | { readonly kind: "help" }
  | { readonly kind: "version"; readonly asJson: boolean }
  | { readonly kind: "mistake"; readonly message: string }
  | {
      readonly kind: "command";
      readonly command: Command;
      readonly values: Readonly<Partial<Record<string, string>>>;
      readonly asJson: boolean;
    }
);

export function parseCommand(args: readonly string[]): ParsedCommand {
  const { tokens, positionals } = parseArgs({
    args: [...args],
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const name = positionals.slice(0, 2).join(" ");
  const usage = describeUsage(name);
  const mistake = (message: string): ParsedCommand => ({ kind: "mistake", message, usage });

  const given = tokens.filter((token) => token.kind === "option");
  if (given.some((token) => token.name === "help")) return { kind: "help", usage };
  const asJson = given.some((token) => token.name === "json");
  if (name === "" && given.some((token) => token.name === "version")) {
    return { kind: "version", asJson, usage };
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) return mistake(describeUnknown(name));
  const { required, optional, flags = [], aliases = {} } = command;
  const values: Partial<Record<string, string>> = {};
  for (const { name: option, rawName, value, inlineValue } of given) {
    if (option === "json" && inlineValue !== true) continue;
    const meant = Object.hasOwn(aliases, option) ? aliases[option] : option;
    if (meant === undefined || ![...required, ...optional].includes(meant)) {
      return mistake(`"${name}" has no option ${rawName}.`);
    }
    if (flags.includes(meant)) {
      if (inlineValue === true) return mistake(`--${option} takes no value.`);
      values[meant] = "true";
      continue;
    }
    // `--email --json` forgot the address; `--reason=--json` means it.
    if (!value || (inlineValue === false && value.startsWith("--"))) {
      return mistake(`--${option} needs a value: --${option} ${placeholderOf(option)}.`);
    }
    if (values[meant] !== undefined) return mistake(`--${option} is given more than once.`);
    values[meant] = value;
  }
  const [, , surplus] = positionals;
  if (surplus !== undefined) {
    return mistake(`"${name}" takes only options: remove "${surplus}".`);
  }
  const missing = required.filter((option) => values[option] === undefined);
  if (missing.length > 0) {
    return mistake(`"${name}" needs ${missing.map((option) => `--${option}`).join(" and ")}.`);
  }
  return { kind: "command", command, values, asJson, usage };
}

function describeUnknown(name: string): string {
  if (name === "") return "Name a command.";
  const isGroup = Object.keys(commands).some((one) => one.startsWith(`${name} `));
  return isGroup ? `Name a command of "${name}".` : `There is no command "${name}".`;
}

function describeUsage(name: string): string {
  const all = Object.entries(commands);
  const exact = all.filter(([one]) => one === name);
  const ofGroup = all.filter(([one]) => one.startsWith(`${name} `));
  const [shown = all] = [exact, ofGroup].filter((list) => list.length > 0);
  const only = shown.length === 1 ? shown[0] : undefined;
  const head = only === undefined ? "COMMAND" : describeOptions(...only);
  return [
    `Usage: bun run admin ${head} [--json]`,
    "",
    ...(only === undefined
      ? shown.map((one) => `  ${describeOptions(...one)}\n      ${one[1].summary}`)
      : [`  ${only[1].summary}`]),
    "",
    "--json prints one object. The database is DATABASE_URL's, or that of a running `bun dev`.",
    ...(name === "" ? ["`bun run admin --version` prints the version of this build."] : []),
  ].join("\n");
}

function describeOptions(name: string, { required, optional, flags = [] }: Command): string {
  const describe = (option: string) =>
    flags.includes(option) ? `--${option}` : `--${option} ${placeholderOf(option)}`;
  return [
    name,
    ...required.map(describe),
    ...optional.map((option) => `[${describe(option)}]`),
  ].join(" ");
}
