// Reads speech that an upstream streams in events: the audio in them is passed on as the bytes of a file would be, and the last event
// says what it is billed by.
import { type JsonObject, parseObject, parseText } from "@turnpike/base";
import { isSseDone, type SpeechRequest, type TokenUsage } from "@turnpike/wire";
import type { OpenaiProvider, StreamEvent, StreamOptions, UpstreamCall } from "../../provider.ts";
import { isErrorBody } from "../../refusals/parse-error-body.ts";
import { refusedInside } from "../../refusals/refuse.ts";
import { AudioStream } from "../audio-stream.ts";
import { PayloadStream } from "../payload-stream.ts";
import { countIn, noTokens } from "./operation-answer.ts";

export class SpeechEvents extends PayloadStream {
  readonly #provider: OpenaiProvider;
  readonly #headers: Headers;
  readonly #audio: AudioStream;

  constructor(
    { provider, request }: UpstreamCall<SpeechRequest, OpenaiProvider>,
    options: StreamOptions,
  ) {
    super(options);
    this.#provider = provider;
    this.#headers = options.headers;
    this.#audio = new AudioStream(request);
  }

  protected read(payload: string, events: StreamEvent[], isNamedError: boolean): void {
    if (isSseDone(payload)) return;
    const source = parseObject(payload);
    if (source === undefined) return;
    const { type, audio, usage } = source;
    if (isNamedError || type === "error" || isErrorBody(source)) throw this.refused(source);
    if (type === "speech.audio.delta") {
      events.push(...this.#audio.push(Buffer.from(parseText(audio) ?? "", "base64")));
    }
    if (type === "speech.audio.done") this.#finish(usage, events);
  }

  #finish(usage: unknown, events: StreamEvent[]): void {
    for (const event of this.#audio.end()) if (event.kind !== "done") events.push(event);
    const { fault } = this.#audio;
    if (fault !== undefined) throw fault;
    const reported = parseSpeechUsage(usage);
    if (reported !== undefined) events.push({ kind: "usage", usage: reported });
    this.complete(events);
  }

  protected refused(source: JsonObject) {
    return refusedInside(source, this.#provider, this.#headers);
  }
}

/** All output is audio. Undefined if the counts are not reported. */
function parseSpeechUsage(usage: unknown): TokenUsage | undefined {
  const promptTokens = countIn(usage, "input_tokens", "prompt_tokens");
  const completionTokens = countIn(usage, "output_tokens", "completion_tokens");
  if (promptTokens === undefined || completionTokens === undefined) return undefined;
  return { ...noTokens, promptTokens, completionTokens, audioCompletionTokens: completionTokens };
}
