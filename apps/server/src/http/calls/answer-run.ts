// Calls that continue without their client: what the client gets at first is not their answer, so the prompt is recorded with the answer of
// the run.
import { type Answer, type BodySlot, complete } from "@turnpike/gateway";
import type { ParsedRequest } from "@turnpike/wire";
import { recordPrompt } from "../../answers/record-prompt.ts";
import type { RememberedCall } from "../../memory/remember-call.ts";
import { type RunForm, startRun } from "../../runs/start-run.ts";
import type { Services } from "../../services.ts";
import { withItems } from "./stored-items.ts";

/** Resolves with what the client gets at first. Rejects with the Fault of a call that is refused. */
export async function answerRun<Parsed extends ParsedRequest>(
  services: Services,
  asked: RememberedCall<Parsed>,
  form: RunForm,
  slot: BodySlot,
): Promise<Answer> {
  const { items } = asked.call.protocol;
  const call = items === undefined ? asked.call : await withItems(services, asked, items, slot);
  return startRun(services, { ...asked, call }, form, (run) => {
    slot.endReading();
    return recordPrompt(services.promptLog, run, complete(services.gateway, run));
  });
}
