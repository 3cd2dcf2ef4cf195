// The operator's desk in the console: one procedure for each verb; that of a command is a mutation and demands a recent
// proof of identity.
import type { TRPCMutationProcedure, TRPCQueryProcedure } from "@trpc/server";
import { requireRecentProof } from "@turnpike/auth";
import { type AnyVerb, type Command, type Query, verbs } from "@turnpike/operator";
import type { z } from "zod";
import { operatorProcedure, type ProcedureMeta, router } from "../procedure.ts";

type Shape = Readonly<Record<string, z.ZodType>>;
type Typed<Fields extends Shape, Answer> = {
  meta: ProcedureMeta;
  input: z.input<z.ZodObject<Fields, z.core.$strict>>;
  output: Answer;
};
type ProcedureOf<Verb> =
  Verb extends Query<infer Fields, infer Answer>
    ? TRPCQueryProcedure<Typed<Fields, Answer>>
    : Verb extends Command<infer Fields, infer Answer>
      ? TRPCMutationProcedure<Typed<Fields, Answer>>
      : never;
type ProceduresOf<Group> = { [Name in keyof Group]: ProcedureOf<Group[Name]> };

function procedureOf(verb: AnyVerb) {
  const procedure = operatorProcedure(verb.roles).input(verb.input);
  if (verb.kind === "query") {
    return procedure.query(({ ctx, input }) =>
      ctx.read((db) => verb.run({ ...ctx, db }, ctx.operator, asParsed(input))),
    );
  }
  return procedure
    .meta({ stepUp: "always" })
    .use(({ ctx, next }) => {
      requireRecentProof(ctx.authenticated);
      return next();
    })
    .mutation(({ ctx, input }) => verb.run(ctx, ctx.operator, asParsed(input)));
}

/** Guarantees that a verb gets what its own schema has parsed. */
function asParsed(input: unknown): never {
  return input as never;
}

/** Guarantees the types: each procedure takes the input of its verb and answers as it does. */
function proceduresOf<Group extends Readonly<Record<string, AnyVerb>>>(
  group: Group,
): ProceduresOf<Group> {
  const built = Object.entries(group).map(([name, verb]) => [name, procedureOf(verb)]);
  return Object.fromEntries(built) as ProceduresOf<Group>;
}

const nouns = Object.entries(verbs).map(([noun, group]) => [noun, proceduresOf(group)]);

/** Guarantees the types: each noun has the procedures of its verbs. */
function asTyped(built: object): {
  [Noun in keyof typeof verbs]: ProceduresOf<(typeof verbs)[Noun]>;
} {
  return built as { [Noun in keyof typeof verbs]: ProceduresOf<(typeof verbs)[Noun]> };
}

export const operatorRouter = router(asTyped(Object.fromEntries(nouns)));
