// The protocol of the AI SDK's gateway provider for language models. Its model, its specification and whether it is streamed are in
// the headers of a call, so each call has a protocol of its own.
import { type Fault, formatGenerationId, type JsonObject } from "@turnpike/base";
import { nameForCaller } from "../caller/name-for-caller.ts";
import { chatContent } from "../protocol/chat-content.ts";
import { aiGatewayLanguage } from "../protocol/languages.ts";
import type { AnswerContent, AnswerIdentity, Bill, DeltaEvent } from "../protocol/pivot.ts";
import type { Protocol, StreamWriter } from "../protocol/protocol.ts";
import { sseData, sseDone, sseKeepAlive } from "../protocol/sse.ts";
import { aiGatewayError, aiGatewayErrors } from "./ai-gateway-errors.ts";
import { presentWarnings } from "./call-notes.ts";
import {
  type LanguageRequest,
  type LanguageTarget,
  parseLanguageRequest,
} from "./parse-language-request.ts";
import { contentOfParts, PartWriter, type StreamPart } from "./part-writer.ts";
import { gatewayMetadata, languageUsage } from "./present-usage.ts";

export function languageProtocol(target: LanguageTarget): Protocol<LanguageRequest> {
  const { model, stream, specification } = target;
  return {
    operation: "chat",
    language: aiGatewayLanguage,
    errors: aiGatewayErrors,
    parse: (text) => parseLanguageRequest(text, target),
    addressed: `${model}\n${stream ? "stream" : "whole"}\n${specification}`,
    answerId: formatGenerationId,
    writeWhole,
    stream: {
      contentType: "text/event-stream; charset=utf-8",
      keepAlive: sseKeepAlive,
      open: (request, identity) => new LanguageStreamWriter(request, identity),
    },
  };
}

function writeWhole(
  answer: AnswerContent,
  identity: AnswerIdentity,
  bill: Bill | undefined,
  request: LanguageRequest,
): string {
  const content = chatContent(answer);
  if (content.kind === "body") throw new Error("no upstream uses this language");
  const writer = new PartWriter(request);
  const parts = content.deltas.flatMap((delta) => writer.write(delta));
  return JSON.stringify({
    content: contentOfParts([...parts, ...writer.end()]),
    ...endOf(writer, identity, bill, request),
    warnings: presentWarnings(request.warnings, request.specification),
    response: responseOf(identity),
  });
}

function endOf(
  { finishReason }: PartWriter,
  identity: AnswerIdentity,
  bill: Bill | undefined,
  { specification }: LanguageRequest,
): JsonObject {
  const usage = languageUsage(bill, specification);
  return { finishReason, usage, providerMetadata: gatewayMetadata(identity, bill) };
}

function responseOf({ id, created, model }: AnswerIdentity): JsonObject {
  return { id, timestamp: new Date(created * 1000).toISOString(), modelId: model };
}

class LanguageStreamWriter implements StreamWriter {
  readonly #request: LanguageRequest;
  readonly #identity: AnswerIdentity;
  readonly #writer: PartWriter;
  #hasBegun = false;

  constructor(request: LanguageRequest, identity: AnswerIdentity) {
    this.#request = request;
    this.#identity = identity;
    this.#writer = new PartWriter(request);
  }

  writeOwn(): string {
    throw new Error("no upstream uses this language");
  }

  writeDeltas(deltas: readonly DeltaEvent[]): string {
    return this.#frame(deltas.flatMap((delta) => this.#writer.write(delta)));
  }

  writeEnd(bill: Bill | undefined): string {
    const rest = this.#writer.end();
    const end = endOf(this.#writer, this.#identity, bill, this.#request);
    return this.#frame([...rest, { type: "finish", ...end }]) + sseDone;
  }

  writeFault(fault: Fault): string {
    const error = aiGatewayError(nameForCaller(fault, this.#request));
    return this.#frame([{ type: "error", error }]);
  }

  #frame(parts: readonly StreamPart[]): string {
    const begun = this.#hasBegun ? [] : this.#begin();
    return [...begun, ...parts].map((part) => sseData(JSON.stringify(part))).join("");
  }

  #begin(): StreamPart[] {
    this.#hasBegun = true;
    const { warnings, specification } = this.#request;
    return [
      { type: "stream-start", warnings: presentWarnings(warnings, specification) },
      { type: "response-metadata", ...responseOf(this.#identity) },
    ];
  }
}
