// The shape of an operator's command: which options it takes, what it does, and what it reports.
// Commands translate; functions of the packages decide.

import type { Db } from "@turnpike/db";
import type { AdminConfig } from "../config.ts";

/** What a command did: one object for scripts, lines of text for people. */
export type Report = {
  readonly json: Readonly<Record<string, unknown>>;
  readonly text: readonly string[];
  /** The check found mistakes: the report is printed and the exit code is 1. */
  readonly isWrong?: boolean;
};

export type AdminContext = {
  readonly config: AdminConfig;
  /** The file in which a running development instance states its address. */
  readonly isDevelopment: boolean;
  /** Opened on first use: `catalog check` works without a database. */
  readonly db: () => Db;
  /** As the role that owns the tables. */
  readonly ownerDb: () => Db;
  /** For what opens its own connections. Both throw where no database is known. */
  readonly url: () => string;
  readonly ownerUrl: () => string;
};

/** What stands for the value of an option in the usage; TEXT for all others. */
const placeholders: Readonly<Record<string, string>> = {
  account: "ACCOUNT",
  email: "ADDRESS",
  name: "NAME",
  usd: "AMOUNT",
  id: "ID",
  file: "PATH",
  days: "DAYS",
  months: "MONTHS",
  folder: "FOLDER",
  domain: "DOMAIN",
  organization: "SLUG",
};

export function placeholderOf(option: string): string {
  return placeholders[option] ?? "TEXT";
}

type Values = Readonly<Partial<Record<string, string>>>;

export type Command = {
  readonly required: readonly string[];
  readonly optional: readonly string[];
  /** Those of `optional` that take no value: given or not. */
  readonly flags?: readonly string[];
  /** Former names of its options. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** It reports the mistakes of the configuration itself, with everything else that is wrong. */
  readonly acceptsMistakes?: boolean;
  /** What it does, for the usage. */
  readonly summary: string;
  readonly run: (context: AdminContext, values: Values) => Promise<Report>;
};

/** A command whose `run` can rely on its required options. */
export function defineCommand<Required extends string, Optional extends string>(definition: {
  readonly required: readonly Required[];
  readonly optional: readonly Optional[];
  readonly acceptsMistakes?: boolean;
  readonly summary: string;
  readonly run: (
    context: AdminContext,
    values: Readonly<Record<Required, string> & Partial<Record<Optional, string>>>,
  ) => Promise<Report>;
}): Command {
  return {
    ...definition,
    run: (context, values) => definition.run(context, present(values, definition.required)),
  };
}

/** Guarantees that each of `names` has a value; parsing has refused the command line otherwise. */
function present<Required extends string, Optional extends string>(
  values: Values,
  names: readonly Required[],
): Readonly<Record<Required, string> & Partial<Record<Optional, string>>> {
  for (const name of names) {
    if (values[name] === undefined) throw new Error(`--${name} was not checked`);
  }
  return values as Readonly<Record<Required, string> & Partial<Record<Optional, string>>>;
}
