// Refusals of an upstream's `/responses` for callers of other endpoints: its field names as a
// chat completion has them, which every protocol can translate to its own callers' names.
import type { Fault } from "@turnpike/base";
import { namesIn, renameParam } from "@turnpike/wire";

/** The first field of a chat completion is the one by which its callers know it. */
const chatNames = new Map([...namesIn("responses")].reverse().map(([chat, own]) => [own, chat]));

export function nameAsChat(fault: Fault): Fault {
  const { param } = fault.details;
  if (param === undefined) return fault;
  const [field = ""] = /^\w+/.exec(param) ?? [];
  // Its items become messages, which are counted in another way.
  if (field === "input") return renameParam(fault, param, "messages");
  for (const [own, chat] of chatNames) {
    const isIt = param === own || (param.startsWith(own) && /^[.[]/.test(param.slice(own.length)));
    if (isIt && own !== "tools" && own !== "tool_choice") {
      return renameParam(fault, param, chat + param.slice(own.length));
    }
  }
  return fault;
}
