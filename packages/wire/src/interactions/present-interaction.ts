// The interaction object of whole answers and of the events that frame a stream. It says whether it is stored, and no answer
// ever asks its client to continue it: SDKs would pay for a second call on their own.
import type { JsonObject } from "@turnpike/base";
import { chatContent } from "../protocol/chat-content.ts";
import type { Memory } from "../protocol/memory.ts";
import type { AnswerContent, AnswerIdentity, Bill } from "../protocol/pivot.ts";
import type { InteractionsRequest } from "./parse-interactions-request.ts";
import { presentUsage } from "./present-usage.ts";
import { type InteractionStatus, StepOutput } from "./step-output.ts";

/** Source: `Interaction` of @google/genai; `store` is ours, and says whether it can be retrieved. */
export function presentInteraction(
  { id, model, created }: AnswerIdentity,
  { memory }: Pick<InteractionsRequest, "memory">,
  status: InteractionStatus,
  bill?: Bill,
): JsonObject {
  const createdAt = timeOf(created);
  return {
    id,
    object: "interaction",
    model,
    status,
    created: createdAt,
    updated: status === "in_progress" ? createdAt : timeOf(Math.floor(Date.now() / 1000)),
    ...presentMemory(memory, status),
    ...(bill?.serviceTier !== undefined && { service_tier: bill.serviceTier }),
    ...(bill !== undefined && { usage: presentUsage(bill) }),
  };
}

/** Whether it will be stored is not known while it is written. */
function presentMemory(memory: Memory | undefined, status: InteractionStatus): JsonObject {
  const { stores = false, previousId } = memory ?? {};
  return {
    ...(!(stores && status === "in_progress") && { store: stores }),
    ...(previousId !== undefined && { previous_interaction_id: previousId }),
  };
}

function timeOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(".000Z", "Z");
}

export function writeInteraction(
  answer: AnswerContent,
  identity: AnswerIdentity,
  bill: Bill | undefined,
  request: InteractionsRequest,
): string {
  const content = chatContent(answer);
  if (content.kind === "body") throw new Error("no upstream uses this language");
  const output = new StepOutput(request, identity.id);
  output.add(content.deltas);
  output.end();
  const { steps } = output;
  return JSON.stringify({ ...presentInteraction(identity, request, output.status, bill), steps });
}
