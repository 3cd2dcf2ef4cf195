// What chat completions and completions may contain, according to OpenAI's API reference: chunk by chunk,
// and as one body. Written without our code.
import { asObject, at, type JsonObject } from "../harness/index.ts";
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

const reasons = ["stop", "length", "tool_calls", "content_filter", "function_call"];

type Shape = { readonly object: string; readonly readChoice: (choice: JsonObject) => string };

/** One finish for each choice that began, `[DONE]` only after all of them, and nothing after an error. */
function checkStream(stream: string, { object, readChoice }: Shape): Verdict {
  const finished = new Map<unknown, boolean>();
  const identities = new Set<string>();
  let text = "";
  let ended: Verdict["ended"] | undefined;
  for (const { name, event } of readFrames(stream)) {
    must(name === undefined, "a chunk has a name", name);
    must(ended === undefined, "something follows the end", event);
    if (event === undefined) {
      must(finished.size > 0 && [...finished.values()].every(Boolean), "[DONE] before a finish");
      ended = "whole";
      continue;
    }
    if ("error" in event) {
      checkError(event, ["type"]);
      ended = "failed";
      continue;
    }
    must(event.object === object, "another object", event);
    identities.add(JSON.stringify([event.id, event.model, event.created]));
    must(identities.size === 1 && isText(event.id) && isCount(event.created), "identity", event);
    for (const choice of listOf(event.choices, "choices")) {
      must(isCount(choice.index), "no index", event);
      must(finished.get(choice.index) !== true, "a choice continues after its finish", event);
      text += readChoice(choice);
      const { finish_reason: reason } = choice;
      must(reason === null || reasons.includes(String(reason)), "another reason", event);
      finished.set(choice.index, reason !== null);
    }
    if ((event.usage ?? null) !== null) checkUsage(asObject(event.usage));
  }
  return { ended: ended ?? fail("the stream has no end"), text };
}

export function checkUsage(usage: JsonObject): void {
  for (const name of ["prompt_tokens", "completion_tokens", "total_tokens"]) {
    must(isCount(usage[name]), `no ${name}`, usage);
  }
  must(typeof usage.cost === "number" && usage.cost >= 0, "no cost", usage);
}

function textOf(value: unknown, what: string): string {
  if ((value ?? null) === null) return "";
  must(isText(value), `${what} is not text`, value);
  return value;
}

function callText(call: JsonObject): string {
  const called = asObject(call.function ?? call.custom ?? {});
  return textOf(called.name, "name") + textOf(called.arguments ?? called.input, "arguments");
}

function messageText(message: JsonObject): string {
  let text = textOf(message.content, "content") + textOf(message.refusal, "refusal");
  text += textOf(message.reasoning, "reasoning");
  const calls = message.tool_calls === undefined ? [] : listOf(message.tool_calls, "tool_calls");
  for (const call of calls) text += callText(call);
  return text;
}

export function checkChatStream(stream: string): Verdict {
  /** Whether each call has its name, which may come after its start. */
  const begun = new Map<string, boolean>();
  return checkStream(stream, {
    object: "chat.completion.chunk",
    readChoice({ index, delta, finish_reason: reason }) {
      const said = asObject(delta);
      for (const call of listOf(said.tool_calls ?? [], "tool_calls")) {
        must(isCount(call.index), "a call without an index", call);
        const place = `${String(index)} ${call.index}`;
        const isBegun = begun.has(place);
        must(isBegun || (isText(call.id) && call.id !== ""), "a call begins without an id", call);
        const name = at(call, "function.name") ?? at(call, "custom.name");
        begun.set(place, begun.get(place) === true || (isText(name) && name !== ""));
      }
      must(reason === null || [...begun.values()].every(Boolean), "a call without a name", said);
      return messageText(said);
    },
  });
}

export function checkCompletionsStream(stream: string): Verdict {
  return checkStream(stream, { object: "text_completion", readChoice: textOfCompletion });
}

function textOfCompletion({ text, reasoning }: JsonObject): string {
  must(isText(text), "a choice has no text", text);
  return text + textOf(reasoning, "reasoning");
}

function checkWhole(body: JsonObject, { object, readChoice }: Shape): Verdict {
  must(body.object === object && isText(body.id) && isCount(body.created), "identity", body);
  const choices = listOf(body.choices, "choices");
  must(choices.length > 0, "no choices", body);
  let text = "";
  for (const choice of choices) {
    must(isCount(choice.index) && reasons.includes(String(choice.finish_reason)), "choice", body);
    text += readChoice(choice);
  }
  checkUsage(asObject(body.usage));
  return { ended: "whole", text };
}

export function checkChatBody(body: JsonObject): Verdict {
  return checkWhole(body, {
    object: "chat.completion",
    readChoice({ message }) {
      const said = asObject(message);
      must(said.role === "assistant", "another role", message);
      for (const call of listOf(said.tool_calls ?? [], "tool_calls")) {
        must(isText(call.id) && call.id !== "", "a call without an id", call);
      }
      return messageText(said);
    },
  });
}

export function checkCompletionsBody(body: JsonObject): Verdict {
  return checkWhole(body, { object: "text_completion", readChoice: textOfCompletion });
}
