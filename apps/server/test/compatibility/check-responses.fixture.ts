// What a response may contain, according to OpenAI's API reference: numbered events, items that begin and
// end once, and exactly one end. Written without our code.
import { asObject, type JsonObject } from "../harness/index.ts";
import {
  checkError,
  fail,
  isCount,
  isText,
  listOf,
  must,
  readFrames,
  type Verdict,
} from "./check-frames.fixture.ts";

const endings = ["response.completed", "response.incomplete", "response.failed", "error"];
const statuses = ["completed", "incomplete", "failed"];

/** `isOwn`: the content of items is the upstream's, and only the order is checked. */
export function checkResponsesStream(stream: string, isOwn: boolean): Verdict {
  const items = new Map<number, "open" | "done">();
  const parts = new Map<string, "open" | "done">();
  let sequence = 0;
  let text = "";
  let last: JsonObject | undefined;
  for (const { name, event } of readFrames(stream)) {
    must(event !== undefined && event.type === name && isText(name), "no type", event ?? name);
    must(last === undefined, "an event follows the end", event);
    must(event.sequence_number === sequence, `not number ${sequence}`, event);
    must((sequence === 0) === (name === "response.created"), "it does not begin once", event);
    sequence += 1;
    if (endings.includes(name)) {
      last = event;
      continue;
    }
    if (event.output_index === undefined) continue;
    followItem(event, items);
    if (!isOwn) followPart(event, parts);
    if (name.endsWith(".delta") && isText(event.delta)) text += event.delta;
  }
  if (last === undefined) return fail("the stream has no end");
  return { ended: checkEnd(last, items), text };
}

function followItem(event: JsonObject, items: Map<number, "open" | "done">): void {
  const { type, output_index: index } = event;
  must(isCount(index), "no index in the output", event);
  if (type === "response.output_item.added") {
    must(index === items.size, "an item begins with the wrong index", event);
    must(isText(asObject(event.item).type), "an item without a type", event);
    items.set(index, "open");
    return;
  }
  must(items.get(index) === "open", "an event of an item that is not open", event);
  if (type === "response.output_item.done") items.set(index, "done");
}

/** Text and reasoning are in parts of their item, which begin and end like items. */
function followPart(event: JsonObject, parts: Map<string, "open" | "done">): void {
  const { type, output_index: item, content_index: content, summary_index: summary } = event;
  if (content === undefined && summary === undefined) return;
  const place = `${String(item)} ${String(content)} ${String(summary)}`;
  const isBegin = String(type).endsWith("_part.added");
  must(isBegin === !parts.has(place), "a part begins twice", event);
  if (isBegin) parts.set(place, "open");
  must(parts.get(place) === "open", "an event of a part that is not open", event);
  if (String(type).endsWith("_part.done")) parts.set(place, "done");
}

function checkEnd(event: JsonObject, items: ReadonlyMap<number, string>): Verdict["ended"] {
  if (event.type === "error") {
    must(isText(event.message), "an error without a message", event);
    return "failed";
  }
  const response = asObject(event.response);
  must(event.type === `response.${String(response.status)}`, "another status", event);
  if (response.status === "failed") {
    checkError(response, ["code"]);
    return "failed";
  }
  must(
    [...items.values()].every((state) => state === "done"),
    "an item has no end",
    event,
  );
  checkUsage(response);
  return "whole";
}

export function checkResponsesBody(body: JsonObject): Verdict {
  must(body.object === "response" && isText(body.id), "identity", body);
  must(statuses.includes(String(body.status)) && body.status !== "failed", "its status", body);
  checkUsage(body);
  const items = listOf(body.output, "output");
  return { ended: "whole", text: items.length === 0 ? "" : JSON.stringify(items) };
}

function checkUsage({ usage }: JsonObject): void {
  const { input_tokens: input, output_tokens: output, cost } = asObject(usage);
  must(isCount(input) && isCount(output) && typeof cost === "number", "usage", usage);
}
