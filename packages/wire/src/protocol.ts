// What a client speaks. A protocol owns every shape of its language: requests, whole answers, the
// frames of a stream and its end. The gateway knows none of them.
import type { Fault, GenerationId } from "@turnpike/base";
import type { AnswerContent, AnswerStamp, Bill, DeltaEvent, ParsedRequest } from "./pivot.ts";

export type Protocol<Request extends ParsedRequest = ParsedRequest> = {
  readonly operation: Request["operation"];
  /** An upstream whose dialect has the same name is relayed without translation. */
  readonly language: string;
  /** Throws the Fault that names what cannot be right. */
  readonly parse: (text: string) => Request;
  /** The id of the answer, as its body shows it. */
  readonly answerId: (id: GenerationId) => string;
  /** The body of a whole answer; without a bill it shows no usage. */
  readonly writeWhole: (
    content: AnswerContent,
    stamp: AnswerStamp,
    bill: Bill | undefined,
  ) => string;
  /** Absent where nothing is ever streamed. */
  readonly stream?: StreamProtocol<Request>;
};

export type StreamProtocol<Request extends ParsedRequest = ParsedRequest> = {
  readonly contentType: string;
  /** Sent while an upstream is silent; no client reads anything into it. */
  readonly keepAlive: string;
  readonly open: (request: Request, stamp: AnswerStamp) => StreamWriter;
};

/** Writes the frames of one streamed answer, in the order its methods are called. */
export type StreamWriter = {
  /** An event of an upstream of the same language, as one line of JSON. */
  writeOwn(json: string): string;
  writeDeltas(deltas: readonly DeltaEvent[]): string;
  /** The end of a complete answer. */
  writeEnd(bill: Bill | undefined): string;
  /** The end of an answer that failed after its status line. */
  writeFault(fault: Fault): string;
};
