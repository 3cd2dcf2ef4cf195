// The verbs of the operator's desk as commands: `account.suspend` is `admin account suspend`, with an option for
// each field of its input, run by the user of the machine.
import { userInfo } from "node:os";
import { Fault } from "@turnpike/base";
import { type AnyVerb, verbNames, verbOf } from "@turnpike/operator";
import { z } from "zod";
import { readCatalogText } from "../read-catalog-text.ts";
import type { AdminContext, Command, Report } from "./command.ts";
import { describeAnswer } from "./describe-answer.ts";
import { operatorServicesOf } from "./operator-services.ts";

export const verbCommands: Readonly<Record<string, Command>> = Object.fromEntries(
  verbNames.flatMap((verbName) => {
    const verb = verbOf(verbName);
    const name = commandNameOf(verbName);
    return verb === undefined ? [] : [[name, commandOf(verb)]];
  }),
);

/** `account.revokeKeys` is `account revoke-keys`. */
export function commandNameOf(verbName: string): string {
  return verbOf(verbName)?.commandName ?? optionOf(verbName.replace(".", " "));
}

function commandOf(verb: AnyVerb): Command {
  const fields = Object.keys(verb.input.shape);
  const isOptional = (field: string) =>
    verb.input.shape[field]?.safeParse(undefined).success === true ||
    (field === "reason" && verb.reasonIsOptional === true);
  return {
    required: fields.filter((field) => !isOptional(field)).map(optionOf),
    optional: [
      ...fields.filter(isOptional).map(optionOf),
      ...(verb.readsCatalogFile ? ["file"] : []),
      ...(verb.writesFile ? ["folder"] : []),
    ],
    flags: fields.filter((field) => isFlag(verb.input.shape[field])).map(optionOf),
    ...(fields.includes("account") && { aliases: { email: "account" } }),
    summary: verb.summary,
    run: (context, values) => runVerb(verb, context, values),
  };
}

function isFlag(schema: unknown): boolean {
  return schema instanceof z.ZodOptional && schema.unwrap() instanceof z.ZodBoolean;
}

function optionOf(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

async function runVerb(
  verb: AnyVerb,
  context: AdminContext,
  values: Readonly<Partial<Record<string, string>>>,
): Promise<Report> {
  const given = Object.entries(verb.input.shape).flatMap(([field, schema]) => {
    const text = values[optionOf(field)] ?? (field === "reason" ? "not given" : undefined);
    return text === undefined ? [] : [[field, parseValue(schema, readOption(field, text))]];
  });
  const read = verb.input.safeParse(Object.fromEntries(given));
  if (!read.success) throw mistakeOf(read.error);
  const by = { role: "owner", name: nameOfUser() } as const;
  const { file: catalogPath, folder } = values;
  const services = operatorServicesOf(context, { catalogPath, folder });
  const answer = await verb.run(services, by, asOwn(read.data));
  const json = z.record(z.string(), z.unknown()).parse(answer);
  const text = verb.describe?.(asOwn(answer)) ?? describeAnswer(json);
  return { json, text, isWrong: json.right === false };
}

/** Who runs a command: the user of the machine it runs on, for the books and for the audit log of the account. */
function nameOfUser(): string {
  try {
    return userInfo().username;
  } catch {
    return "unknown";
  }
}

/** Guarantees that a verb gets what is its own: the input that its schema has parsed, or its answer. */
function asOwn(value: unknown): never {
  return value as never;
}

/** Numbers, flags and lists, which have another form on a command line; everything else is text. */
function parseValue(schema: unknown, text: string): unknown {
  const inner =
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? schema.unwrap() : schema;
  if (inner !== schema) return parseValue(inner, text);
  if (inner instanceof z.ZodNumber) return Number(text);
  if (inner instanceof z.ZodBoolean) return text === "true";
  return inner instanceof z.ZodArray ? text.split(",") : text;
}

/** `@FILE` is what the file contains. */
function readOption(field: string, text: string): string {
  return field === "text" && text.startsWith("@") ? readCatalogText(text.slice(1)) : text;
}

function mistakeOf(error: z.ZodError): Fault {
  const [issue] = error.issues;
  const param = optionOf(String(issue?.path[0] ?? ""));
  return new Fault("invalid_value", issue?.message ?? "This is not valid.", { param });
}
