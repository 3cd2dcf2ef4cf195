// The interaction object of whole answers and of the events that frame a stream. Nothing is stored, whatever was asked for,
// and no answer ever asks its client to continue it: SDKs would pay for a second call on their own.
import type { JsonObject } from "@turnpike/base";
import { chatContent } from "../protocol/chat-content.ts";
import type { AnswerContent, AnswerIdentity, Bill } from "../protocol/pivot.ts";
import type { InteractionsRequest } from "./parse-interactions-request.ts";
import { presentUsage } from "./present-usage.ts";
import { type InteractionStatus, StepOutput } from "./step-output.ts";

/** Source: `Interaction` of @google/genai. */
export function presentInteraction(
  { id, model, created }: AnswerIdentity,
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
    store: false,
    ...(bill?.serviceTier !== undefined && { service_tier: bill.serviceTier }),
    ...(bill !== undefined && { usage: presentUsage(bill) }),
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
  return JSON.stringify({ ...presentInteraction(identity, output.status, bill), steps });
}
