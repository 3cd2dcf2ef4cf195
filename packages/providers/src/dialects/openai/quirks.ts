// How services with OpenAI's chat dialect differ. The vocabulary is closed: a provider is
// data made of these values, and shared code never knows its name.

export type OpenaiQuirks = {
  /** Spelling of the output limit it accepts. */
  readonly tokenLimit: "max_completion_tokens" | "max_tokens";
  /**
   * Whether one streamed delta is one token, or several whose number is estimated. A delta that
   * cannot be one token is estimated in either case.
   */
  readonly tokensPerDelta: "one" | "many";
  /**
   * Usage on a stream is sent when requested by `stream_options`, or always, and then requesting it
   * is an error.
   */
  readonly streamUsage: "on_request" | "always";
  /** Whether deltas are padded by default and `include_obfuscation: false` ends that. */
  readonly streamPadding: "none" | "by_default";
  /** Its value for "some tool must be called". */
  readonly mustCallTool: "required" | "any";
  /** Shape of tool-call ids it accepts: of any length, of at most 40 characters, or of exactly nine. */
  readonly toolCallIds: "any" | "forty_characters" | "nine_alphanumerics";
  /** Names of tools it accepts; others are renamed, and renamed back in its answers. */
  readonly toolNames: "any" | "letters_digits" | "letter_first";
  /** Whether a tool may be without a schema of its input, and whether its root may be a union or has to be an object. */
  readonly rootSchemas: "any" | "stated" | "objects";
  /**
   * What it requires of schemas at any depth: that lists say what their items are, or that the variants of a union have
   * a type and not the union, and that definitions are in `$defs`.
   */
  readonly innerSchemas: "any" | "stated_items" | "typed_variants";
  /**
   * Whether roles follow one another in any order. Where that is strict, nothing but an answer follows the results of
   * tools, an answer says something, instructions follow nothing that a model said, and it does not speak last.
   */
  readonly turnOrder: "any" | "strict";
  /** Whether results of tools may have images and files, or only text: media then follow them, said by the user. */
  readonly toolResults: "any" | "text";
  /** Whether it knows the `name` of a participant. Elsewhere it is a prefix of what the user says. */
  readonly participantNames: "known" | "in_text";
  /** Whether it supports custom tools, or a function with one text has to represent each. */
  readonly customTools: "native" | "as_functions";
  /**
   * Where it takes system messages: anywhere in a conversation, or one at its beginning. Later ones of a
   * translated request are then said by the user.
   */
  readonly systemMessages: "anywhere" | "first";
  /** Whether it knows the role `developer`, which is OpenAI's newer name for `system`. */
  readonly developerRole: "known" | "as_system";
  /**
   * Whether it has `/responses` itself: beside chat completions, or instead of them, so that all
   * requests are sent there. Without it, responses are translated to chat completions.
   */
  readonly responses: "none" | "native" | "only";
  /** Its name for the sampling seed. */
  readonly seed: "seed" | "random_seed";
  /** What it does with fields meant for gateways; only one that ignores them is sent them. */
  readonly controlFields: "ignores" | "rejects" | "obeys";
  /** Whether it knows `include_reasoning`. Asked only of one that rejects fields it does not know. */
  readonly includeReasoning: "known" | "unknown";
  /** Whether `completion_tokens` includes the reasoning tokens, as OpenAI's does. */
  readonly reasoningTokens: "included" | "apart";
  /**
   * How reasoning of earlier turns is sent back to it: as `reasoning_details`, or joined into one
   * `reasoning_content`, without which it refuses calls of tools.
   */
  readonly reasoningHistory: "reasoning_details" | "reasoning_content";
  /** Whether it supports `encoding_format` on embeddings, or sends floats and may reject the field. */
  readonly embeddingEncoding: "on_request" | "float_only";
  /** Whether it embeds images, and in whose form it is sent them. */
  readonly embeddedImages: "none" | "openrouter" | "jina";
  /** What it calls the number of results of a reranker. */
  readonly rerankTop: "top_n" | "top_k";
  /** Whether its reranker cuts documents at `max_tokens_per_doc`, and bills no more of them. */
  readonly rerankCut: "known" | "unknown";
  /** Whose requests for images it takes. */
  readonly images: "openai" | "openrouter" | "together";
};

/** The plainest dialect: what an OpenAI-compatible server most likely supports. */
export const defaultQuirks: OpenaiQuirks = {
  tokenLimit: "max_tokens",
  tokensPerDelta: "one",
  streamUsage: "on_request",
  streamPadding: "none",
  mustCallTool: "required",
  toolCallIds: "any",
  toolNames: "any",
  rootSchemas: "any",
  innerSchemas: "any",
  turnOrder: "any",
  toolResults: "any",
  participantNames: "known",
  customTools: "as_functions",
  systemMessages: "first",
  developerRole: "as_system",
  responses: "none",
  seed: "seed",
  controlFields: "ignores",
  includeReasoning: "unknown",
  reasoningTokens: "included",
  reasoningHistory: "reasoning_details",
  embeddingEncoding: "on_request",
  embeddedImages: "none",
  rerankTop: "top_n",
  rerankCut: "unknown",
  images: "openai",
};
