// Refusals of an upstream's `/responses` for callers of other endpoints: its field names as a
// chat completion has them, which every protocol can translate to its own callers' names.
import type { Fault } from "@turnpike/base";
import { renameParam } from "@turnpike/wire";

const names: readonly (readonly [own: RegExp, chat: string])[] = [
  [/^input\b.*/, "messages"],
  [/^max_output_tokens$/, "max_tokens"],
  [/^text\.format\b/, "response_format"],
  [/^text\.verbosity$/, "verbosity"],
  [/^reasoning\.effort$/, "reasoning_effort"],
];

export function nameAsChat(fault: Fault): Fault {
  const { param } = fault.details;
  if (param === undefined) return fault;
  for (const [own, chat] of names) {
    if (own.test(param)) return renameParam(fault, param, param.replace(own, chat));
  }
  return fault;
}
