// How a call of each operation is measured before it is made: what it may write, and what it is billed for besides tokens. Every
// quantity comes from the request itself, never from what its caller says about it.
import type { Operation, UnitCount } from "@turnpike/terms";
import { boundAudio } from "../bound-prompt.ts";
import type { ModelRequest } from "../model.ts";
import { boundSearchUnits, usualSearchUnits } from "./bound-search-units.ts";
import type { BoundUnit } from "./bound-unit.ts";
import { imageOutputTokens, imageUnits } from "./image-measures.ts";

/** The most a call may use besides text tokens. */
export type ExtrasBound = {
  /** The part of the prompt that may be audio. */
  readonly audioPromptTokens: number;
  /** Whether its prompt may have images. */
  readonly readsImages: boolean;
  readonly answersIn: "text" | "audio" | "images";
  /** Of one answer, on top of its limit. */
  readonly rejectedTokens: number;
  /** For one answer. */
  readonly searches: number;
  /** What is billed by other units, for the whole call. */
  readonly units: readonly BoundUnit[];
};

export type OutputBound = {
  /**
   * The most tokens one answer may have; no answer is longer than the context, whatever the request
   * says.
   */
  readonly tokens: number;
  readonly answers: number;
  /** Whether the caller set no limit. */
  readonly isDefault: boolean;
};

export const nothingBeside: ExtrasBound = {
  audioPromptTokens: 0,
  readsImages: false,
  answersIn: "text",
  rejectedTokens: 0,
  searches: 0,
  units: [],
};

const noOutput: OutputBound = { tokens: 0, answers: 1, isDefault: false };

const withoutOutput = {
  output: () => noOutput,
  completionMax: () => 0,
  unreported: "text",
} as const;

/** Of a pause before and after it, however short a text is: five seconds. */
const shortSpeechTokens = 100;

/** Measured elsewhere, of prose: digits and abbreviations take more, which is why more is held. */
const usualTokensPerCharacter = 1.3;

type Measures<Asked extends ModelRequest> = {
  readonly output: (asked: Asked) => OutputBound;
  readonly extras: (asked: Asked) => ExtrasBound;
  /** The most output tokens that the model can have written for it. */
  readonly completionMax: (asked: Asked) => number;
  /**
   * What an answer without usage is taken to have written: as many tokens of text as passed, as many of audio, or as many as
   * were held for, because what passed shows none.
   */
  readonly unreported: "text" | "audio" | "bound";
  /** What fewer of a unit are billed as, in a report or measured here. */
  readonly leastUnits?: (asked: Asked) => readonly UnitCount[];
  /** The units of an answer that reports none and delivered so many tokens; by default those that were held for. */
  readonly deliveredUnits?: (
    asked: Asked,
    delivered: { readonly tokens: number; readonly isWhole: boolean },
  ) => readonly UnitCount[];
};

type Asking<Name extends Operation> = Extract<ModelRequest, { operation: Name }>;

const measures: { readonly [Name in Operation]: Measures<Asking<Name>> } = {
  chat: {
    output({ model, request }) {
      const tokens = Math.min(request.maxTokens ?? model.maxOutputTokens, model.contextTokens);
      return { tokens, answers: request.choices, isDefault: request.maxTokens === undefined };
    },
    extras(asked) {
      const { extras } = asked.request;
      if (extras === undefined) return nothingBeside;
      const { predictionBytes, searches, answersIn } = extras;
      return {
        ...nothingBeside,
        audioPromptTokens: boundAudio(asked),
        answersIn,
        // Every token has at least one byte.
        rejectedTokens: predictionBytes,
        searches,
      };
    },
    completionMax: ({ model, request }) => model.contextTokens * request.choices,
    unreported: "text",
  },
  embeddings: {
    ...withoutOutput,
    extras: ({ request }) =>
      request.imageCount === 0 ? nothingBeside : { ...nothingBeside, readsImages: true },
  },
  image: {
    output: (asked) => ({
      tokens: imageOutputTokens(asked),
      answers: asked.request.imageCount,
      isDefault: false,
    }),
    extras: (asked) => ({
      ...nothingBeside,
      readsImages: asked.request.references.length > 0,
      answersIn: "images",
      units: imageUnits(asked),
    }),
    // Tokens of a model that is priced by the piece cost nothing, however many are reported.
    completionMax: (asked) =>
      asked.model.outputTokens === undefined
        ? Number.MAX_SAFE_INTEGER
        : imageOutputTokens(asked) * asked.request.imageCount,
    unreported: "bound",
  },
  speech: {
    output: ({ model, request }) => ({
      tokens: boundSpeechTokens(model.audioTokensPerCharacter, request),
      answers: 1,
      isDefault: false,
    }),
    extras: ({ request }) => ({
      ...nothingBeside,
      answersIn: "audio",
      units: [{ unit: "characters", count: request.characterCount }],
    }),
    completionMax: ({ model, request }) =>
      boundSpeechTokens(model.audioTokensPerCharacter, request),
    unreported: "audio",
    deliveredUnits({ request }, { tokens, isWhole }) {
      const { characterCount, speed } = request;
      const expectedTokens = (characterCount * usualTokensPerCharacter) / speed;
      const part = isWhole ? 1 : Math.min(1, tokens / expectedTokens);
      return [{ unit: "characters", count: Math.ceil(characterCount * part) }];
    },
  },
  transcription: {
    output: ({ model }) => ({ tokens: model.maxOutputTokens, answers: 1, isDefault: false }),
    extras: ({ model, request }) => ({
      ...nothingBeside,
      audioPromptTokens: Math.ceil((request.holdMs * model.audioTokensPerSecond) / 1_000),
      units: [audioTime(model, request.holdMs)],
    }),
    completionMax: ({ model }) => model.maxOutputTokens,
    unreported: "text",
    deliveredUnits: ({ model, request }) => [audioTime(model, request.durationMs)],
    leastUnits: ({ model }) => [audioTime(model, 0)],
  },
  rerank: {
    ...withoutOutput,
    extras: (asked) => ({
      ...nothingBeside,
      units: [{ unit: "searchUnits", count: boundSearchUnits(asked) }],
    }),
    deliveredUnits: (asked) => [{ unit: "searchUnits", count: usualSearchUnits(asked) }],
  },
  moderation: { ...withoutOutput, extras: () => nothingBeside },
};

function audioTime({ minSeconds = 0 }: Asking<"transcription">["model"], ms: number) {
  return { unit: "audioMilliseconds", count: Math.max(ms, minSeconds * 1_000) } as const;
}

function boundSpeechTokens(
  tokensPerCharacter: number,
  { characterCount, speed }: Asking<"speech">["request"],
): number {
  return Math.ceil((characterCount * tokensPerCharacter) / Math.min(speed, 1)) + shortSpeechTokens;
}

/**
 * Those of a call's operation. The cast is safe because the table has under each operation the measures for its requests, which
 * TypeScript cannot follow through a lookup.
 */
export function measuresOf(asked: ModelRequest): Measures<ModelRequest> {
  return measures[asked.operation] as Measures<ModelRequest>;
}
