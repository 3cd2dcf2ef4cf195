// What an operator can ask or do: one definition, from which the console's procedures and the command line are
// both built. A query changes nothing; a command takes a reason and records it in the same transaction.
import type { Auth } from "@turnpike/auth";
import type { PersonId } from "@turnpike/base";
import type { Billing } from "@turnpike/billing";
import type { AuditActor, CompanyDetails, Db, OperatorRole } from "@turnpike/db";
import type { Statement } from "@turnpike/reports";
import { reasonCharsMax } from "@turnpike/terms";
import { z } from "zod";
import type { NamedAccount } from "./account/query-account.ts";
import type { CatalogFiles } from "./catalog-files.ts";
import { line } from "./inputs.ts";

/** What verbs need. The server has opened it all; the command line opens each part at its first use. */
export type OperatorServices = {
  readonly db: Db;
  /** As the role that owns the tables: on the command line only. */
  readonly ownerDb?: Db;
  readonly auth: Auth;
  readonly billing: Billing;
  readonly catalogFiles: CatalogFiles;
  readonly delivery: Delivery;
  /** In the server: undefined without a replica, or while it is not known. */
  readonly replicaLagMs?: () => number | undefined;
};

/** How an operator gets a file: the console in the answer or from a link, the command line in a folder. */
export type Delivery = {
  /** Written as a PDF. */
  readonly statement: (of: StatementOf) => Promise<Delivered>;
  /** Everything stored about an account. Refuses what it cannot deliver; call what it returns once it is recorded who gets it. */
  readonly archive: (account: NamedAccount) => Promise<() => Promise<Delivered>>;
};

export type StatementOf = {
  readonly account: NamedAccount;
  readonly company: CompanyDetails | null;
  readonly statement: Statement;
};

export type Delivered =
  | { readonly file: string }
  | { readonly fileName: string; readonly base64: string }
  /** Where the console gets it, with POST. */
  | { readonly path: string };

/** Who asks. */
export type Operator = {
  readonly role: OperatorRole;
  /** An email address, or the user who runs the command. */
  readonly name: string;
  /** Absent on the command line. */
  readonly personId?: PersonId;
};

export type Fields = Readonly<Record<string, z.ZodType>>;
type Given<Shape extends Fields> = z.output<z.ZodObject<Shape, z.core.$strict>>;

type Definition<Shape extends Fields, Answer> = {
  /** Who may. */
  readonly roles: readonly OperatorRole[];
  /** What it answers or does, for the usage, the docs and the form. */
  readonly summary: string;
  /** A verb for the button of its form; without, its name in words. */
  readonly label?: string;
  /** What it deletes or ends cannot be brought back: its form asks as such a question. */
  readonly destroys?: true;
  /** The field of its answer that is a secret, which is shown once. */
  readonly secret?: string;
  readonly input: z.ZodObject<Shape, z.core.$strict>;
  /**
   * Answers what JSON can say: amounts as decimal strings in USD, times in ISO 8601. A check answers `right: false` if it
   * found mistakes, and the command line then ends with exit code 1.
   */
  readonly run: (services: OperatorServices, by: Operator, input: Given<Shape>) => Promise<Answer>;
  /** The answer on the command line, for people, where a list of its facts would not do. */
  readonly describe?: (answer: Answer) => readonly string[];
  /** On the command line, where it is not called as in the console. */
  readonly commandName?: string;
  /** On the command line `--file` names the catalog file that it reads instead of CATALOG_FILE. */
  readonly readsCatalogFile?: true;
  /** On the command line `--folder` names where it writes the file that the console answers or links. */
  readonly writesFile?: true;
  /**
   * Of a command that scripts ran before reasons were asked for: on the command line it needs none, and the log then says
   * "not given".
   */
  readonly reasonIsOptional?: true;
};

export type Query<Shape extends Fields, Answer> = Definition<Shape, Answer> & {
  readonly kind: "query";
};
export type Command<Shape extends Fields, Answer> = Definition<Shape, Answer> & {
  readonly kind: "command";
};

/** Any of the table, for what walks all of them: `run` takes what `input` has parsed. */
export type AnyVerb = Omit<Definition<Fields, unknown>, "input" | "run" | "describe"> & {
  readonly kind: "query" | "command";
  readonly input: z.ZodObject;
  readonly describe?: (answer: never) => readonly string[];
  readonly run: (services: OperatorServices, by: Operator, input: never) => Promise<unknown>;
};

type Described<Shape extends Fields, Answer> = Omit<Definition<Shape, Answer>, "input"> & {
  readonly input: Shape;
};

export function query<Shape extends Fields, Answer>({
  input,
  ...rest
}: Described<Shape, Answer>): Query<Shape, Answer> {
  return { ...rest, kind: "query", input: z.strictObject(input) };
}

const reasonInput = line(reasonCharsMax).refine((text) => text.trim() !== "", "Give a reason.");

type WithReason<Shape extends Fields> = Shape & { readonly reason: typeof reasonInput };

/** What a command is run with. */
export type CommandInput<Shape extends Fields> = Given<WithReason<Shape>>;

/** Its input has a `reason` besides. */
export function command<Shape extends Fields, Answer>({
  input,
  ...rest
}: Omit<Described<WithReason<Shape>, Answer>, "input"> & {
  readonly input: Shape;
}): Command<WithReason<Shape>, Answer> {
  return { ...rest, kind: "command", input: z.strictObject({ ...input, reason: reasonInput }) };
}

/** As the audit log of the account names them, with why they did it. */
export function actorOf(by: Operator, reason: string): Extract<AuditActor, { kind: "operator" }> {
  return { kind: "operator", name: by.name, reason: reason.trim() };
}

/** The operators who may read everything. */
export const everyone: readonly OperatorRole[] = ["owner", "support", "finance", "read_only"];
export const support: readonly OperatorRole[] = ["owner", "support"];
export const finance: readonly OperatorRole[] = ["owner", "finance"];
export const moneyOrSupport: readonly OperatorRole[] = ["owner", "support", "finance"];
export const owners: readonly OperatorRole[] = ["owner"];
