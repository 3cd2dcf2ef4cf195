// The API of a client. A protocol owns every shape of its language: requests, whole answers, the
// frames of a stream and its end. The gateway knows none of them.
import type { Fault, GenerationId, JsonObject } from "@turnpike/base";
import type { ErrorFormat } from "../errors/error-format.ts";
import type { MultipartOptions } from "../multipart/read-multipart.ts";
import type { ItemReferences } from "../responses/item-reference.ts";
import type { Memory, MemoryLanguage } from "./memory.ts";
import type { AnswerContent, AnswerIdentity, Bill, DeltaEvent, ParsedRequest } from "./pivot.ts";
import type { RequestHeaders } from "./request-headers.ts";
import type { UploadedForm } from "./uploaded-form.ts";

/** Of an endpoint that takes files. */
export type FormProtocol<Request extends ParsedRequest = ParsedRequest> = {
  readonly bounds: Pick<MultipartOptions, "maxBytes" | "files" | "shapes">;
  /** What the files of each field have to contain. */
  readonly media: Readonly<Record<string, "image" | "audio">>;
  /** Reads the same files from a body of JSON, which has them in base64. */
  readonly filesInJson?: (text: string) => FilesInJson;
  /** `text` is the form as JSON, its files by their digests. Throws the Fault that names what is invalid. */
  readonly parse: (form: UploadedForm, text: string, headers: RequestHeaders) => Request;
};

export type FilesInJson = {
  readonly fields: JsonObject;
  readonly files: readonly {
    readonly field: string;
    readonly filename: string;
    readonly base64: string;
  }[];
};

export type Protocol<Request extends ParsedRequest = ParsedRequest> = {
  readonly operation: Request["operation"];
  /** An upstream whose dialect has the same name is relayed without translation. */
  readonly language: string;
  /** How every refusal of its routes is written. */
  readonly errors: ErrorFormat;
  /** Throws the Fault that names what is invalid. */
  readonly parse: (text: string, headers: RequestHeaders) => Request;
  /** What the address of the request says of it beside the body; absent if the body says everything. */
  readonly addressed?: string;
  /** What of the answer depends on the caller's headers beside the body; absent if nothing does. */
  readonly shapeFor?: (headers: RequestHeaders) => string;
  /** The id of the answer, as its body shows it. */
  readonly answerId: (id: GenerationId) => string;
  /** The body of a whole answer to `request`; without a bill it shows no usage. */
  readonly writeWhole: (
    content: AnswerContent,
    identity: AnswerIdentity,
    bill: Bill | undefined,
    request: Request,
  ) => string;
  /** The type of a whole answer, if it is not always JSON. */
  readonly wholeType?: (request: Request) => string;
  /** Absent if a request sends everything it is about. */
  readonly items?: ItemProtocol<Request>;
  /** Absent if it takes no files. */
  readonly form?: FormProtocol<Request>;
  /** Absent if nothing is ever streamed. */
  readonly stream?: StreamProtocol<Request>;
};

/** Of a language whose requests may refer to items of earlier answers by their ids. */
export type ItemProtocol<Request extends ParsedRequest = ParsedRequest> = {
  /** What the text of a request refers to; undefined is nothing. Throws Fault. */
  readonly find: (text: string) => ItemReferences | undefined;
  readonly memory: MemoryLanguage;
  /** A request of which something is kept, or that continues what was kept. Throws Fault. */
  readonly withMemory: (request: Request, memory: Memory) => Request;
  /** Whether anything of its answer is to be kept. */
  readonly keeps: (request: Request) => boolean;
  /** The items to keep of a whole answer, or of what ends a stream: JSON texts by id. */
  readonly read: (answer: string) => ReadonlyMap<string, string>;
  /** The same answer, saying that its items were not kept. */
  readonly withoutKeptItems: (answer: string) => string;
};

export type StreamProtocol<Request extends ParsedRequest = ParsedRequest> = {
  readonly contentType: string | ((request: Request) => string);
  /** Sent while an upstream is silent; clients ignore it. */
  readonly keepAlive: string;
  /** Whether an answer has no place for an error, so that a failure has to cut the connection. */
  readonly isBinary?: (request: Request) => boolean;
  /** Whether clients take a clean end for that of a complete answer, even behind an error. */
  readonly cutsAfterFault?: true;
  /** Whether clients skip the line with which an event that can be resumed names its number. */
  readonly isResumable?: true;
  /** Whether its first event says how many tokens the prompt has: `open` is told then. */
  readonly beginsWithPrompt?: true;
  readonly open: (request: Request, identity: AnswerIdentity, prompt?: PromptSize) => StreamWriter;
};

/** What is known of a prompt while its answer is written: nothing is billed yet. It may become more exact. */
export type PromptSize = { readonly tokens: number };

/** Writes the frames of one streamed answer, in the order its methods are called. */
export type StreamWriter = {
  /**
   * An event of an upstream of the same language, as one line of JSON. `name` is that of the event, in
   * languages whose events have one.
   */
  writeOwn(json: string, name: string | undefined): string;
  writeDeltas(deltas: readonly DeltaEvent[]): string;
  /** The end of a complete answer. */
  writeEnd(bill: Bill | undefined): string;
  /** The end of an answer that failed after its status line. */
  writeFault(fault: Fault, requestId: string): string;
};
