// The responses protocol: OpenAI's newer API. Events are numbered without gaps, begin with
// `response.created` and end with exactly one of `completed`, `incomplete` and `failed`.
import { type Fault, responseIdOf } from "@turnpike/base";
import { nameForCaller } from "../caller/name-for-caller.ts";
import { openaiErrors } from "../errors/error-format.ts";
import { setInnerMembers, setMembers } from "../json/set-members.ts";
import { chatContent } from "../protocol/chat-content.ts";
import { responsesLanguage } from "../protocol/languages.ts";
import type { AnswerContent, AnswerIdentity, Bill, DeltaEvent } from "../protocol/pivot.ts";
import type { ItemProtocol, Protocol, StreamWriter } from "../protocol/protocol.ts";
import { sseEvent, sseKeepAlive } from "../protocol/sse.ts";
import { findReferences } from "./item-reference.ts";
import { parseKeptItems, withoutKeptItems } from "./kept-items.ts";
import type { OutputEvent } from "./output-events.ts";
import { OwnItems } from "./own-items.ts";
import { parseResponsesRequest, type ResponsesRequest } from "./parse-responses-request.ts";
import {
  endedState,
  failedState,
  presentResponse,
  presentUsage,
  type ResponseState,
} from "./present-response.ts";
import type { ReasoningView } from "./reasoning-item.ts";
import { withMemory } from "./remembered-request.ts";
import { ResponseOutput } from "./response-output.ts";
import { responsesMemory } from "./responses-memory.ts";
import { SummaryOutput } from "./summary-output.ts";

export const responsesItems: ItemProtocol<ResponsesRequest> = {
  find: findReferences,
  keeps: ({ keepsItems, memory }) => keepsItems || memory !== undefined,
  memory: responsesMemory,
  withMemory,
  read: parseKeptItems,
  withoutKeptItems,
};

export const responsesProtocol: Protocol<ResponsesRequest> = {
  operation: "chat",
  language: responsesLanguage,
  errors: openaiErrors,
  parse: parseResponsesRequest,
  answerId: responseIdOf,
  items: responsesItems,
  writeWhole,
  stream: {
    contentType: "text/event-stream; charset=utf-8",
    keepAlive: sseKeepAlive,
    isResumable: true,
    open: (request, identity) => new ResponsesStreamWriter(request, identity),
  },
};

/** The same for servers that keep no items: a reference is left to `parse`, which refuses it. */
export function keepingNothing(protocol: Protocol<ResponsesRequest>): Protocol<ResponsesRequest> {
  return {
    ...protocol,
    items: { ...responsesItems, find: () => undefined },
    parse: (raw, headers) => ({ ...protocol.parse(raw, headers), keepsItems: false }),
  };
}

function writeWhole(
  answer: AnswerContent,
  identity: AnswerIdentity,
  bill: Bill | undefined,
  request: ResponsesRequest,
): string {
  const content = chatContent(answer);
  if (content.kind === "body") {
    const usage = bill === undefined ? null : presentUsage(bill);
    const { body, text = JSON.stringify(body) } = content;
    return setMembers(text, { usage: JSON.stringify(usage) });
  }
  const output = createOutput(request, identity);
  output.add(content.deltas);
  output.end();
  return JSON.stringify(presentResponse(request, identity, stateAtEnd(output, bill)));
}

type Output = Pick<SummaryOutput, "finish" | "items" | "fault" | "add" | "end">;

function createOutput(
  { asked, offered, sealSummary }: ResponsesRequest,
  { id }: AnswerIdentity,
): Output {
  return sealSummary === undefined
    ? new ResponseOutput(id, offered, viewOf(asked))
    : new SummaryOutput(id, sealSummary);
}

/** Of an answer that its upstream completed. It is charged, even if it is of no use to the caller. */
function stateAtEnd({ fault, finish, items }: Output, bill: Bill | undefined): ResponseState {
  return fault === undefined
    ? endedState(finish, items, bill)
    : { ...failedState(fault, items), bill };
}

function viewOf({ reasoning, include }: ResponsesRequest["asked"]): ReasoningView {
  const settings: object = typeof reasoning === "object" && reasoning !== null ? reasoning : {};
  const asksForSummary =
    ("summary" in settings && settings.summary !== null) ||
    ("generate_summary" in settings && settings.generate_summary !== null);
  const wantsEncrypted = Array.isArray(include) && include.includes("reasoning.encrypted_content");
  return { shownAs: asksForSummary ? "summary" : "content", wantsEncrypted };
}

const endings = new Set(["response.completed", "response.incomplete"]);
/** Inside a text its quotes would be escaped, so this is the member. */
const numberOf = /"sequence_number":\s*(\d+)/;

function writeOwnEnd(
  { name, json }: { readonly name: string; readonly json: string },
  bill: Bill | undefined,
): string {
  const usage = bill === undefined ? null : presentUsage(bill);
  return sseEvent(name, setInnerMembers(json, "response", { usage: JSON.stringify(usage) }));
}

class ResponsesStreamWriter implements StreamWriter {
  readonly #request: ResponsesRequest;
  readonly #identity: AnswerIdentity;
  readonly #output: Output;
  #sequence = 0;
  /** The last event of an upstream of the same language, which waits for the bill. */
  #ending: { readonly name: string; readonly json: string } | undefined;
  readonly #ownItems: OwnItems | undefined;

  constructor(request: ResponsesRequest, identity: AnswerIdentity) {
    this.#request = request;
    this.#identity = identity;
    this.#output = createOutput(request, identity);
    if (request.memory !== undefined) this.#ownItems = new OwnItems();
  }

  writeOwn(json: string, name = ""): string {
    this.#sequence = Number(numberOf.exec(json)?.[1] ?? this.#sequence) + 1;
    if (name === "response.output_item.done") this.#ownItems?.add(json);
    if (!endings.has(name)) return sseEvent(name, json);
    this.#ending = { name, json: this.#ownItems?.complete(json) ?? json };
    return "";
  }

  writeDeltas(deltas: readonly DeltaEvent[]): string {
    let text = this.#start();
    for (const event of this.#output.add(deltas)) text += this.#frame(event);
    return text;
  }

  writeEnd(bill: Bill | undefined): string {
    if (this.#ending !== undefined) return writeOwnEnd(this.#ending, bill);
    let text = this.#start();
    for (const event of this.#output.end()) text += this.#frame(event);
    const state = stateAtEnd(this.#output, bill);
    return text + this.#frameResponse(`response.${state.status}`, state);
  }

  writeFault(fault: Fault): string {
    const named = nameForCaller(fault, this.#request);
    const state = failedState(named, this.#output.items);
    return this.#start() + this.#frameResponse("response.failed", state);
  }

  #start(): string {
    if (this.#sequence > 0) return "";
    const state: ResponseState = { status: "in_progress", output: [] };
    const created = this.#frameResponse("response.created", state);
    return created + this.#frameResponse("response.in_progress", state);
  }

  #frameResponse(type: string, state: ResponseState): string {
    return this.#frame({ type, response: presentResponse(this.#request, this.#identity, state) });
  }

  #frame({ type, ...rest }: OutputEvent): string {
    const numbered = { type, sequence_number: this.#sequence, ...rest };
    this.#sequence += 1;
    return sseEvent(type, JSON.stringify(numbered));
  }
}
