// A response that runs in the background: its form before its first event, and after it was cancelled or has failed.
import type { Fault } from "@turnpike/base";
import { findMembers, memberText } from "../json/edit-json-object.ts";
import { setMembers } from "../json/set-members.ts";
import type { AnswerIdentity } from "../protocol/pivot.ts";
import { sseEvent } from "../protocol/sse.ts";
import type { ResponsesRequest } from "./parse-responses-request.ts";
import { failedState, presentResponse } from "./present-response.ts";

/** Before it has begun, JSON. */
export function writeQueued(request: ResponsesRequest, identity: AnswerIdentity): string {
  return JSON.stringify(presentResponse(request, identity, { status: "queued", output: [] }));
}

/** Of a response that ran until now, JSON: what it had written is left as it is. */
export function writeCancelled(response: string): string {
  return setMembers(response, { status: '"cancelled"' });
}

/** Of a response whose end is missing, JSON. */
export function writeFailed(response: string, fault: Fault): string {
  const { error } = failedState(fault, []);
  return setMembers(response, {
    status: '"failed"',
    store: "false",
    error: JSON.stringify(error ?? null),
  });
}

/** How a response ended, JSON; undefined of one whose end is missing. */
export function endOf(response: string): ResponseEvent["ended"] {
  const status = memberText(response, findMembers(response), "status");
  const ends = ["completed", "incomplete", "failed"] as const;
  return ends.find((end) => JSON.stringify(end) === status);
}

/** The event that ends a stream with a response, JSON. */
export function writeEndEvent(
  { state, response }: { readonly state: string; readonly response: string },
  number: number,
): string {
  const type = `response.${state}`;
  return sseEvent(type, `{"type":"${type}","sequence_number":${number},"response":${response}}`);
}

export type ResponseEvent = {
  readonly number: number;
  /** The response in it, JSON; undefined in an event of one of its parts. */
  readonly response: string | undefined;
  /** How it ended, in the last event. */
  readonly ended: "completed" | "incomplete" | "failed" | undefined;
};

const framing = /^event: response\.(created|in_progress|completed|incomplete|failed)$/m;
const numberOf = /"sequence_number":\s*(\d+)/;

/** Of an event as it is sent. `next` is its number if it does not say one. */
export function readResponseEvent(event: string, next: number): ResponseEvent {
  const number = Number(numberOf.exec(event)?.[1] ?? next);
  const name = framing.exec(event)?.[1];
  if (name === undefined) return { number, response: undefined, ended: undefined };
  const json = event.slice(event.indexOf("data: ") + "data: ".length).trimEnd();
  const response = memberText(json, findMembers(json), "response");
  const isEnd = name === "completed" || name === "incomplete" || name === "failed";
  return { number, response, ended: isEnd ? name : undefined };
}
