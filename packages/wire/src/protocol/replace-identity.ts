// An answer that is given again for another call, which is free: it shows that call's id and time, and every
// count and cost of its usage is 0. All else stays as it was, byte for byte.
import { setImmediate } from "node:timers/promises";
import { isObject, type JsonObject, parseObject } from "@turnpike/base";
import { formatUsd, zeroNanos } from "@turnpike/terms";
import { setInnerMembers, setMembers } from "../json/set-members.ts";
import type { AnswerIdentity } from "./pivot.ts";

type Identity = Pick<AnswerIdentity, "id" | "created">;

/** Of a line with an event; a stream of Gemini's may be a list with a line for each. */
const eventPrefix = /^(?:data: |[[,])(?=\{)/;
/** Where events of a stream have the answer they belong to: in `/v1/messages`, in `/v1/responses` and in interactions. */
const answersInEvents = ["message", "response", "interaction"];
/** The only event with a type whose id is that of the answer; in others of the AI SDK it is that of a part. */
const namingEvent = "response-metadata";
/** Unix seconds, in the languages that show a time. */
const times = ["created", "created_at", "completed_at"];
/** The same as text, in interactions and in the AI SDK's protocol. */
const writtenTimes = ["created", "updated", "timestamp"];

const usages = ["usage", "usageMetadata"];
/** Most events have none of them: parsing every event of a long stream would block the event loop. */
const isStamped =
  /"(?:id|usage|created|created_at|completed_at|responseId|usageMetadata|createTime)"/;

/** Events are rewritten in slices of about this many characters, with a turn of the event loop for others between. */
const sliceChars = 65_536;

/** `body` is a whole answer or the text of a stream, in any protocol. */
export async function replaceIdentity(
  body: string,
  streamed: boolean,
  identity: Identity,
): Promise<string> {
  if (!streamed) return replaceInObject(body, identity);
  let replaced = "";
  let start = 0;
  while (start < body.length) {
    if (start > 0) await setImmediate();
    const lineEnd = body.indexOf("\n", start + sliceChars);
    const end = lineEnd === -1 ? body.length : lineEnd + 1;
    replaced += replaceInLines(body.slice(start, end), identity);
    start = end;
  }
  return replaced;
}

function replaceInLines(lines: string, identity: Identity): string {
  return lines
    .split("\n")
    .map((line) => {
      const prefix = eventPrefix.exec(line)?.[0];
      if (prefix === undefined || !isStamped.test(line)) return line;
      return prefix + replaceInEvent(line.slice(prefix.length), identity);
    })
    .join("\n");
}

function replaceInEvent(json: string, identity: Identity): string {
  const event = parseObject(json);
  if (event === undefined) return json;
  for (const key of answersInEvents) {
    const { [key]: answer } = event;
    if (isObject(answer)) return setInnerMembers(json, key, newMembers(answer, identity));
  }
  const { id, ...set } = newMembers(event, identity);
  const isOfPart = typeof event.type === "string" && event.type !== namingEvent;
  return setMembers(json, id === undefined || isOfPart ? set : { ...set, id });
}

function replaceInObject(json: string, identity: Identity): string {
  const answer = parseObject(json);
  if (answer === undefined) return json;
  const named = setMembers(json, newMembers(answer, identity));
  // The AI SDK's.
  const { response } = answer;
  if (!isObject(response)) return named;
  return setInnerMembers(named, "response", newMembers(response, identity));
}

/** As JSON texts, of the members that are there. */
function newMembers(answer: JsonObject, { id, created }: Identity): Record<string, string> {
  const set: Record<string, string> = {};
  if (typeof answer.id === "string") set.id = JSON.stringify(id);
  for (const time of times) if (typeof answer[time] === "number") set[time] = String(created);
  for (const usage of usages) {
    const { [usage]: counts } = answer;
    if (isObject(counts)) set[usage] = JSON.stringify(withoutCounts(counts));
  }
  const time = new Date(created * 1_000).toISOString();
  for (const name of writtenTimes) {
    if (typeof answer[name] === "string") set[name] = JSON.stringify(time.replace(".000Z", "Z"));
  }
  const metadata = isObject(answer.providerMetadata) ? answer.providerMetadata : {};
  const { gateway } = metadata;
  if (isObject(gateway) && typeof gateway.generationId === "string") {
    const free = { ...gateway, generationId: id, cost: formatUsd(zeroNanos) };
    set.providerMetadata = JSON.stringify({ ...metadata, gateway: free });
  }
  // Gemini's.
  if (typeof answer.responseId === "string") set.responseId = JSON.stringify(id);
  if (typeof answer.createTime === "string") {
    set.createTime = JSON.stringify(time);
  }
  return set;
}

function withoutCounts(usage: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(usage).map(([name, value]) => [name, zeroed(value)]));
}

function zeroed(value: unknown): unknown {
  if (typeof value === "number") return 0;
  if (Array.isArray(value)) return value.map(zeroed);
  return isObject(value) ? withoutCounts(value) : value;
}
