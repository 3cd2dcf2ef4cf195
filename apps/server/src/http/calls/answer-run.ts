// Calls that go on without their client: what its client gets meanwhile is not its answer, which is stored as any other.
import { type Answer, type BodySlot, type Call, complete } from "@turnpike/gateway";
import type { ParsedRequest } from "@turnpike/wire";
import { recordPrompt } from "../../answers/record-prompt.ts";
import type { RememberedCall } from "../../memory/remember-call.ts";
import { type RunForm, startRun } from "../../runs/start-run.ts";
import type { Services } from "../../services.ts";
import { withItems } from "./stored-items.ts";

/** Its answer is stored with its prompt if its project wants that. */
export function withPrompt<Parsed extends ParsedRequest>(
  { promptLog }: Pick<Services, "promptLog">,
  call: Call<Parsed>,
  answering: Promise<Answer>,
): Promise<Answer> {
  const { prompts } = call.principal;
  return prompts === undefined ? answering : recordPrompt(promptLog, call, prompts, answering);
}

/** Of a call that goes on without its client: what its client gets meanwhile is not its answer. */
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
    return withPrompt(services, run, complete(services.gateway, run));
  });
}
