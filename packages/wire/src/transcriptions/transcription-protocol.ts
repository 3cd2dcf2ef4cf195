// The transcription protocols, after OpenAI's: JSON with more or fewer details, text, and captions that are written here from
// the segments of the answer. Text formats have no place for usage, which a header says instead.
import { type Fault, formatGenerationId, type JsonObject } from "@turnpike/base";
import { toUsdNumber } from "@turnpike/terms";
import { missing } from "../checks/body-fault.ts";
import { openaiErrors } from "../errors/error-format.ts";
import { answerForFault } from "../errors/fault-answer.ts";
import { setMembers } from "../json/set-members.ts";
import { transcriptionsLanguage } from "../protocol/languages.ts";
import type { AnswerContent, Bill } from "../protocol/pivot.ts";
import type { Protocol, StreamWriter } from "../protocol/protocol.ts";
import { sseData, sseKeepAlive } from "../protocol/sse.ts";
import { transcriptionForm } from "./parse-transcription-request.ts";
import type { TranscriptFormat, TranscriptionRequest } from "./transcription-request.ts";
import { writeSrt, writeVtt } from "./write-captions.ts";

const plainText: ReadonlySet<TranscriptFormat> = new Set(["text", "srt", "vtt"]);

function protocolFor(task: TranscriptionRequest["task"]): Protocol<TranscriptionRequest> {
  return {
    operation: "transcription",
    addressed: task,
    language: transcriptionsLanguage,
    errors: openaiErrors,
    parse() {
      throw missing("file");
    },
    form: transcriptionForm(task),
    answerId: formatGenerationId,
    wholeType: ({ format }) =>
      plainText.has(format) ? "text/plain; charset=utf-8" : "application/json",
    writeWhole: (content, { model }, bill, request) => write(content, model, bill, request),
    stream: {
      contentType: "text/event-stream; charset=utf-8",
      keepAlive: sseKeepAlive,
      open: () => new TranscriptWriter(),
    },
  };
}

export const transcriptionProtocol = protocolFor("transcribe");
export const translationProtocol = protocolFor("translate");

type Transcript = Extract<AnswerContent, { kind: "transcript" }>;

function write(
  content: AnswerContent,
  model: string,
  bill: Bill | undefined,
  { format, task, granularities, durationMs }: TranscriptionRequest,
): string {
  if (content.kind !== "transcript") throw new Error("another answer to a transcription");
  const { text, segments = [], words, language } = content;
  const { durationSeconds = durationMs / 1_000 } = content;
  const usage = bill === undefined ? {} : { usage: usageOf(bill) };
  switch (format) {
    case "text":
      return `${text}\n`;
    case "srt":
      return writeSrt(segments);
    case "vtt":
      return writeVtt(segments);
    case "json":
      // Mistral's clients require the model, and a language that may be null.
      return JSON.stringify({
        text,
        model,
        language: language ?? null,
        ...detailsOf(content),
        ...usage,
      });
    case "diarized_json":
      return JSON.stringify({ task, duration: durationSeconds, text, segments, ...usage });
    case "verbose_json": {
      const wantsSegments = granularities.length === 0 || granularities.includes("segment");
      return JSON.stringify({
        task,
        language,
        duration: durationSeconds,
        text,
        ...(wantsSegments && { segments }),
        ...(granularities.includes("word") && { words: words ?? [] }),
        ...usage,
      });
    }
  }
}

function detailsOf({ logprobs }: Transcript): JsonObject {
  return logprobs === undefined ? {} : { logprobs };
}

/** By what was billed: tokens, or the time of the audio. */
function usageOf({ usage, costNanos }: Bill): JsonObject {
  const { promptTokens, completionTokens, audioPromptTokens = 0 } = usage;
  const ms = usage.units?.find(({ unit }) => unit === "audioMilliseconds")?.count;
  const cost = toUsdNumber(costNanos);
  const seconds = ms === undefined ? {} : { seconds: ms / 1_000 };
  if (completionTokens === 0 && ms !== undefined) return { type: "duration", ...seconds, cost };
  return {
    type: "tokens",
    input_tokens: promptTokens,
    input_token_details: {
      text_tokens: promptTokens - audioPromptTokens,
      audio_tokens: audioPromptTokens,
    },
    output_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    ...seconds,
    cost,
  };
}

/** The last event has the whole text, and waits for the bill. */
class TranscriptWriter implements StreamWriter {
  #last = "";

  writeOwn(json: string, name: string | undefined): string {
    if (name !== "transcript.text.done") return sseData(json);
    this.#last = json;
    return "";
  }

  writeDeltas(): string {
    throw new Error("a transcript is no deltas");
  }

  writeEnd(bill: Bill | undefined): string {
    if (this.#last === "") return "";
    if (bill === undefined) return sseData(this.#last);
    return sseData(setMembers(this.#last, { usage: JSON.stringify(usageOf(bill)) }));
  }

  writeFault(fault: Fault): string {
    return sseData(JSON.stringify({ type: "error", ...answerForFault(fault).body }));
  }
}
