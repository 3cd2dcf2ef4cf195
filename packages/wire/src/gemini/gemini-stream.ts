// A streamed answer of Gemini's API: responses with parts of the answer, the last of them with the reason of its end and the
// usage, which waits for the bill. What is between responses must be nothing but line feeds: the SDKs fail at everything else.
import { type Fault, type JsonObject, parseObject } from "@turnpike/base";
import { nameForCaller } from "../caller/name-for-caller.ts";
import type { AnswerIdentity, Bill, DeltaEvent } from "../protocol/pivot.ts";
import type { StreamWriter } from "../protocol/protocol.ts";
import { sseData } from "../protocol/sse.ts";
import { googleErrorBody } from "./google-errors.ts";
import type { GeminiRequest } from "./parse-gemini-request.ts";
import { usageMetadata } from "./present-usage.ts";
import { joinParts, PartWriter } from "./write-parts.ts";
import { candidateOf, identityMembers, withBilledUsage } from "./write-response.ts";

/** `list` is one JSON array, as Google answers without `alt=sse`. */
export type GeminiFraming = "events" | "list";

export const geminiKeepAlive = "\n";

/** Of a response after which nothing needs to follow. */
const mayBeLast = /"(?:finishReason|blockReason)"/;

/** Parts of one kind: clients take a response for a thought if its first part is one. */
type Run = { readonly choice: number; readonly isThought: boolean; readonly parts: JsonObject[] };

export class GeminiStreamWriter implements StreamWriter {
  readonly #request: GeminiRequest;
  readonly #identity: AnswerIdentity;
  readonly #framing: GeminiFraming;
  readonly #writers = new Map<number, PartWriter>();
  #isFirst = true;
  #isOwn = false;
  /** The upstream's own last response, held back until the bill is known. */
  #held: string | undefined;

  constructor(request: GeminiRequest, identity: AnswerIdentity, framing: GeminiFraming) {
    this.#request = request;
    this.#identity = identity;
    this.#framing = framing;
  }

  writeOwn(json: string): string {
    const held = this.#held;
    const isLast = mayBeLast.test(json);
    this.#held = isLast ? json : undefined;
    this.#isOwn = true;
    return (held === undefined ? "" : this.#frame(held)) + (isLast ? "" : this.#frame(json));
  }

  writeDeltas(deltas: readonly DeltaEvent[]): string {
    const runs: Run[] = [];
    for (const delta of deltas) {
      const { choice } = delta;
      for (const part of this.#writerOf(choice).write(delta)) addPart(runs, choice, part);
    }
    return this.#writeRuns(runs);
  }

  writeEnd(bill: Bill | undefined): string {
    if (this.#isOwn) return this.#frame(this.#ownEnd(bill)) + this.#close();
    if (this.#writers.size === 0) this.#writerOf(0);
    const candidates = [...this.#writers].map(([index, writer]) => {
      const rest = writer.end();
      return candidateOf(rest.length === 0 ? [{ text: "" }] : rest, index, writer.ending);
    });
    const usage = bill === undefined ? {} : { usageMetadata: usageMetadata(bill) };
    const last = { candidates, ...usage, ...identityMembers(this.#identity) };
    return this.#frame(JSON.stringify(last)) + this.#close();
  }

  writeFault(fault: Fault): string {
    const body = googleErrorBody(nameForCaller(fault, this.#request));
    const held = this.#held === undefined ? "" : this.#frame(this.#held);
    return held + this.#frame(JSON.stringify(body)) + this.#close();
  }

  #writerOf(choice: number): PartWriter {
    let writer = this.#writers.get(choice);
    if (writer === undefined) {
      writer = new PartWriter(this.#request);
      this.#writers.set(choice, writer);
    }
    return writer;
  }

  #writeRuns(runs: readonly Run[]): string {
    let text = "";
    for (const { choice, parts } of runs) {
      const candidates = [candidateOf(joinParts(parts), choice)];
      text += this.#frame(JSON.stringify({ candidates, ...identityMembers(this.#identity) }));
    }
    return text;
  }

  /** The upstream's own last response with what was billed, or one with nothing else. */
  #ownEnd(bill: Bill | undefined): string {
    const json = this.#held ?? JSON.stringify(identityMembers(this.#identity));
    return bill === undefined
      ? json
      : withBilledUsage(json, parseObject(json)?.usageMetadata, bill);
  }

  #frame(json: string): string {
    if (this.#framing === "events") return sseData(json);
    const begin = this.#isFirst ? "[" : ",";
    this.#isFirst = false;
    return `${begin}${json}\n`;
  }

  #close(): string {
    return this.#framing === "events" ? "" : "]\n";
  }
}

function addPart(runs: Run[], choice: number, part: JsonObject): void {
  const isThought = part.thought === true;
  const last = runs.at(-1);
  if (last?.choice === choice && last.isThought === isThought) last.parts.push(part);
  else runs.push({ choice, isThought, parts: [part] });
}
