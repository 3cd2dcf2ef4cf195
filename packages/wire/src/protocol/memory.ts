// What of a request and its answer is kept, what they continue, and how a language says so. A request that no provider may retain is
// not kept here either.
import type { GenerationId, JsonObject, ObjectId } from "@turnpike/base";
import type { ChatRequest } from "../chat/parse-chat-request.ts";

/** What a request wants to be kept and continues; or, in an answer, what was kept of it. */
export type Memory = {
  readonly stores: boolean;
  /** Of the answer that it continues, as the caller wrote it. */
  readonly previousId: string | undefined;
  readonly conversationId: string | undefined;
  /** Its caller does not wait for its end, but may want its events from the first. */
  readonly background: "polled" | "streamed" | undefined;
};

/** What no provider may retain is not kept here either. */
export function isPrivate({ routing }: Pick<ChatRequest, "routing">): boolean {
  return routing?.denyDataCollection === true || routing?.zdr === true;
}

export type ContinuedRequest = {
  readonly text: string;
  /** How many items at the end of its input are new. */
  readonly newItems: number;
};

export type Answered = {
  /** The answer, as JSON. */
  readonly response: string;
  readonly output: readonly JsonObject[];
  /** Whether it says that it is stored. */
  readonly stores: boolean;
  /** Whether it stands for everything before it. */
  readonly isCompaction: boolean;
  /** Whether it ended early. */
  readonly isIncomplete: boolean;
};

export type EarlierItems = {
  /** As items of an input, JSON texts. */
  readonly items: readonly string[];
  /** Whether a compaction stands for everything before them. */
  readonly isCompacted: boolean;
};

/** How a language asks for what is kept, and in which form that is stored. */
export type MemoryLanguage = {
  /** What its answers are called among the objects. */
  readonly purpose: "response" | "interaction";
  /** Names what a request continues. */
  readonly previousParam: "previous_response_id" | "previous_interaction_id";
  readonly answerId: (id: GenerationId) => string;
  /** Undefined for what is no id of ours. */
  readonly parseId: (text: string) => ObjectId | undefined;
  /**
   * Undefined if a request asks for nothing of the kind. `storesByDefault`: it asks to be stored unless it says otherwise. Throws the
   * Fault of a body that is not JSON, or asks for what excludes each other.
   */
  readonly find: (raw: string, storesByDefault: boolean) => Memory | undefined;
  /**
   * The request with `earlier`, JSON texts of items, before its own input, and without the ids that stood for them. What runs in the
   * background is asked for as a stream, whatever its caller wants.
   */
  readonly continueRequest: (
    raw: string,
    earlier: readonly string[],
    background: Memory["background"],
  ) => ContinuedRequest;
  /** The last `count` items of the input of a request as they are stored; `place` is 32 hexadecimal digits of its own. */
  readonly newInput: (request: string, count: number, place: string) => readonly JsonObject[];
  /** `answer` is a whole one, or what ends a stream. Undefined for one that failed. */
  readonly parseAnswered: (answer: string) => Answered | undefined;
  /** `answer` as it is if it was not stored, or not added to its conversation. */
  readonly withoutKept: (answer: string, what: "store" | "conversation") => string;
  /** The JSON text of the answer to store: as its caller is told. */
  readonly answerText: (answer: string) => string;
  /** What its caller is sent of `answer`, which has all that is stored. */
  readonly toSend: (answer: string) => string;
  /** Of what was stored. */
  readonly earlierItems: (stored: string) => EarlierItems;
};
