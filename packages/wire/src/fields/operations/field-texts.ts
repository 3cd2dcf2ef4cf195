// What each field of an operation's requests means, for `/openapi.json`, with its type where its rule does not say one. A test
// compares the names with the tables of fields.
import type { Operation } from "@turnpike/terms";

/** A description, or a part of a JSON Schema with one. */
export type FieldText = string | { readonly description: string; readonly [word: string]: unknown };
export type FieldTexts = Readonly<Record<string, FieldText>>;

function integer(description: string): FieldText {
  return { description, type: ["integer", "null"] };
}

function flag(description: string): FieldText {
  return { description, type: ["boolean", "null"] };
}

const noPrice = "Refused with 400: there is no price for what it changes.";

export const commonTexts: FieldTexts = {
  model: "Id of the model, as `GET /v1/models` lists it.",
  provider: {
    description: "Which providers may answer, as in a chat completion.",
    type: ["object", "null"],
  },
  models: {
    description: "Refused with other models than `model`: the answers of two cannot be compared.",
    type: ["array", "null"],
    items: { type: "string" },
  },
  route: "As in a chat completion.",
  max_cost: {
    description: "The most the request may cost, in USD. It is refused if it may cost more.",
    type: ["number", "string", "null"],
  },
  session_id: "Accepted for clients of OpenRouter, without effect.",
  trace: {
    description: "Accepted for clients of OpenRouter, without effect.",
    type: ["object", "null"],
  },
  usage: {
    description: "Accepted for clients of OpenRouter: the cost is always in the answer.",
    type: ["object", "null"],
  },
  user: "Whom the application calls for; Logs can be filtered by it.",
  safety_identifier: "The same for the provider: an id of the end user.",
};

const imageTexts: FieldTexts = {
  prompt: "What the image shows, or how it is changed.",
  n: integer("How many images. Default: 1."),
  size: "`WIDTHxHEIGHT` in pixels, a tier (`512`, `1K`, `2K`, `4K`) or `auto`, which is billed as the most expensive.",
  resolution: "OpenRouter's name for a tier as `size`.",
  aspect_ratio: "Such as `16:9`, for models that take one.",
  quality: "Such as `low`, `medium`, `high` or `auto`; the prices of the model name what it has.",
  output_format: "Format of the images.",
  output_compression: integer("Percentage of quality of jpeg and webp."),
  background: "Whether the background is transparent; a preference.",
  moderation: "How strictly the provider filters; a preference.",
  response_format: "`b64_json` or `url`. Default: the image itself, as `b64_json`.",
  style: "A preference that only few models have.",
  seed: integer("The same seed gives a similar image; a preference."),
  stream: flag("Whether the images come as events, with previews."),
  partial_images: integer("How many previews of each image a stream has at most. They are free."),
  images: {
    description:
      "Images to edit: each an https address or data URL, or an object with `image_url`.",
    type: ["array", "null"],
    items: {},
  },
  image: {
    description: "The same; one or a list. A form has files of this name.",
    anyOf: [{ type: "string" }, { type: "array", items: {} }, { type: "object" }, { type: "null" }],
  },
  input_references: {
    description: "OpenRouter's name for `images`.",
    type: ["array", "null"],
    items: {},
  },
  mask: {
    description:
      "Where the image is edited: its transparent part. An address, or a file of a form.",
    anyOf: [{ type: "string" }, { type: "object" }, { type: "null" }],
  },
  input_fidelity: "How closely the images to edit are followed; a preference.",
  frame_count: noPrice,
  frame_duration_ms: noPrice,
  svg: noPrice,
  complexity: noPrice,
  markup: noPrice,
};

const speechTexts: FieldTexts = {
  input: "The text to speak.",
  voice: "Name of a voice of the model.",
  instructions: "How it is spoken; a preference.",
  response_format: "Format of the audio. Default: `mp3`.",
  speed: "1 is as fast as the voice is.",
  stream_format:
    "`audio` answers with the bytes, `sse` with events that have pieces of it. Default: `audio`.",
};

const transcriptionTexts: FieldTexts = {
  language: "Language that is spoken, such as `en`.",
  prompt: "Text that comes before, or names and their spelling.",
  response_format: "Format of the answer. Default: `json`.",
  temperature: "How freely words are chosen.",
  timestamp_granularities: "What has times in `verbose_json`. Default: segments.",
  stream: flag("Whether the text comes as events."),
  include: "`logprobs` for how certain each token is; a preference.",
  chunking_strategy: {
    description: "How the provider cuts the audio; a preference.",
    anyOf: [{ type: "string" }, { type: "object" }, { type: "null" }],
  },
  known_speaker_names: "Names of speakers; a preference.",
  known_speaker_references: "Audio of each of them as data URLs; a preference.",
  keywords: "Words to expect; a preference.",
  languages: "Languages to expect; a preference.",
  diarize: flag("Whether speakers are told apart; a preference."),
  seed: integer("A preference."),
};

const rerankTexts: FieldTexts = {
  query: "What the documents are compared with.",
  documents: {
    description: "Texts, or objects with `text`.",
    type: "array",
    items: {
      anyOf: [
        { type: "string" },
        {
          type: "object",
          properties: { text: { description: "The document.", type: "string" } },
          required: ["text"],
        },
      ],
    },
  },
  top_n: integer("How many results, best first. Default: all."),
  top_k: integer("The same, by the name of Voyage."),
  return_documents: flag("Whether results have their documents. Default: false."),
  max_tokens_per_doc: integer("Longer documents are cut there by the provider."),
  rank_fields: "Fields of documents that count; a preference.",
  truncation: flag("Whether long inputs are cut; a preference."),
  priority: integer("A preference of Cohere's."),
};

const moderationTexts: FieldTexts = {
  input: "A text, a list of texts with a result each, or parts that have one result together.",
};

export const ownTexts: Readonly<Partial<Record<Operation, FieldTexts>>> = {
  image: imageTexts,
  speech: speechTexts,
  transcription: transcriptionTexts,
  rerank: rerankTexts,
  moderation: moderationTexts,
};
