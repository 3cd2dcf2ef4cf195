// Calls procedures by their dotted names, as the HTTP handler does, and tells their outcome.

import { TRPCError } from "@trpc/server";
import type { FaultCode } from "@turnpike/base";
import { appRouter, createCaller } from "./app-router.ts";
import type { ApiContext } from "./context.ts";
import { faultOf } from "./fault-to-trpc.ts";

const allNames = Object.keys(appRouter._def.procedures).sort();

/** Those of operators have tests of their own. */
export const procedureNames = allNames.filter((name) => !name.startsWith("operator."));
export const operatorProcedureNames = allNames.filter((name) => name.startsWith("operator."));

export type Outcome =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false;
      readonly fault: FaultCode;
      readonly message: string;
      readonly param: string | undefined;
    };

/** Calls a procedure by its dotted name, as the HTTP handler does. */
export async function callProcedure(
  name: string,
  context: ApiContext,
  input: unknown,
): Promise<Outcome> {
  const caller: unknown = createCaller(context);
  const procedure = name.split(".").reduce(memberOf, caller);
  if (typeof procedure !== "function") throw new Error(`There is no procedure ${name}.`);
  try {
    return { ok: true, value: await procedure(input) };
  } catch (error) {
    if (!(error instanceof TRPCError)) throw error;
    const { code, message, details } = faultOf(error);
    return { ok: false, fault: code, message, param: details.param };
  }
}

function memberOf(value: unknown, name: string): unknown {
  const isParent = (typeof value === "object" && value !== null) || typeof value === "function";
  return isParent ? Reflect.get(value, name) : undefined;
}
