// Tells all instances that a run has more events or has ended, or is to end. A message that is lost costs time: who waits looks again
// by itself.
import { type GenerationId, parseId } from "@turnpike/base";
import { type SQL, sql } from "drizzle-orm";

export const runChannel = "run_changes";

export type RunMessage = { readonly kind: "changed" | "cancel"; readonly id: GenerationId };

export function notifyRun({ kind, id }: RunMessage): SQL {
  return sql`pg_notify(${runChannel}, ${`${kind} ${id}`})`;
}

/** Undefined for what a newer version says. */
export function parseRunMessage(payload: string): RunMessage | undefined {
  const [kind, text = ""] = payload.split(" ");
  const id = parseId<GenerationId>(text);
  if (id === undefined || (kind !== "changed" && kind !== "cancel")) return undefined;
  return { kind, id };
}
