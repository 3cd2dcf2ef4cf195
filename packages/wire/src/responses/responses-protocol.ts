// The responses protocol: OpenAI's newer API, stateless. Events are numbered without gaps, begin with
// `response.created` and end with exactly one of `completed`, `incomplete` and `failed`.
import type { Fault } from "@turnpike/base";
import { responseIdOf } from "@turnpike/base";
import type { AnswerContent, AnswerStamp, Bill, DeltaEvent } from "../pivot.ts";
import type { Protocol, StreamWriter } from "../protocol.ts";
import { sseEvent, sseKeepAlive } from "../sse.ts";
import type { OutputEvent } from "./output-events.ts";
import {
  parseResponsesRequest,
  type ResponsesRequest,
  responsesLanguage,
} from "./parse-responses-request.ts";
import {
  endedState,
  failedState,
  presentResponse,
  type ResponseState,
} from "./present-response.ts";
import type { ReasoningView } from "./reasoning-item.ts";
import { ResponseOutput } from "./response-output.ts";
import { responsesErrors } from "./responses-errors.ts";

export const responsesProtocol: Protocol<ResponsesRequest> = {
  operation: "chat",
  language: responsesLanguage,
  errors: responsesErrors,
  parse: parseResponsesRequest,
  answerId: responseIdOf,
  writeWhole,
  stream: {
    contentType: "text/event-stream; charset=utf-8",
    keepAlive: sseKeepAlive,
    open: (request, stamp) => new ResponsesStreamWriter(request, stamp),
  },
};

function writeWhole(
  content: AnswerContent,
  stamp: AnswerStamp,
  bill: Bill | undefined,
  request: ResponsesRequest,
): string {
  if (content.kind === "body") throw new Error("an answer in the upstream's own language");
  const output = openOutput(request, stamp);
  output.add(content.deltas);
  output.end();
  const state = endedState(output.finish, output.items, bill);
  return JSON.stringify(presentResponse(request, stamp, state));
}

function openOutput({ asked, offered }: ResponsesRequest, { id }: AnswerStamp): ResponseOutput {
  return new ResponseOutput(id, offered, viewOf(asked));
}

function viewOf({ reasoning, include }: ResponsesRequest["asked"]): ReasoningView {
  const settings: object = typeof reasoning === "object" && reasoning !== null ? reasoning : {};
  const asksForSummary =
    ("summary" in settings && settings.summary !== null) ||
    ("generate_summary" in settings && settings.generate_summary !== null);
  const wantsEncrypted = Array.isArray(include) && include.includes("reasoning.encrypted_content");
  return { shownAs: asksForSummary ? "summary" : "content", wantsEncrypted };
}

class ResponsesStreamWriter implements StreamWriter {
  readonly #request: ResponsesRequest;
  readonly #stamp: AnswerStamp;
  readonly #output: ResponseOutput;
  #sequence = 0;

  constructor(request: ResponsesRequest, stamp: AnswerStamp) {
    this.#request = request;
    this.#stamp = stamp;
    this.#output = openOutput(request, stamp);
  }

  writeOwn(): string {
    throw new Error("an event in the upstream's own language");
  }

  writeDeltas(deltas: readonly DeltaEvent[]): string {
    let text = this.#start();
    for (const event of this.#output.add(deltas)) text += this.#frame(event);
    return text;
  }

  writeEnd(bill: Bill | undefined): string {
    let text = this.#start();
    for (const event of this.#output.end()) text += this.#frame(event);
    const state = endedState(this.#output.finish, this.#output.items, bill);
    return text + this.#frameResponse(`response.${state.status}`, state);
  }

  writeFault(fault: Fault): string {
    const state = failedState(fault, this.#output.items);
    return this.#start() + this.#frameResponse("response.failed", state);
  }

  #start(): string {
    if (this.#sequence > 0) return "";
    const state: ResponseState = { status: "in_progress", output: [] };
    const created = this.#frameResponse("response.created", state);
    return created + this.#frameResponse("response.in_progress", state);
  }

  #frameResponse(type: string, state: ResponseState): string {
    return this.#frame({ type, response: presentResponse(this.#request, this.#stamp, state) });
  }

  #frame({ type, ...rest }: OutputEvent): string {
    const numbered = { type, sequence_number: this.#sequence, ...rest };
    this.#sequence += 1;
    return sseEvent(type, JSON.stringify(numbered));
  }
}
