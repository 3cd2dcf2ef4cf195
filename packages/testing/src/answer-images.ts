// How the scripted upstream answers `/v1/images/generations`, and what it shares with edits: the same prompt always becomes
// the same image. Models named `…-piece` are as those that are sold by the image: they answer addresses, and no usage.
import { createHash } from "node:crypto";
import type { EventFrame } from "./answer-format.ts";
import { flaggedWord } from "./answer-moderations.ts";
import {
  countTextTokens,
  eventAnswer,
  jsonAnswer,
  type OperationAnswer,
  type OperationCall,
  type ParseOperation,
} from "./operation-call.ts";
import { fieldsOf } from "./parse-chat-body.ts";
import type { Script } from "./parse-script.ts";
import {
  badValue,
  type Check,
  checkFields,
  isBoolean,
  isNumber,
  isOneOf,
  isText,
  Refusal,
  wrongType,
} from "./refuse-request.ts";
import { reportUsage, type UsageShape } from "./report-usage.ts";
import { type ImageFormat, imageFormats, smallImage } from "./small-images.ts";

/** Tokens of a square image of 1024 pixels. Source: OpenAI's guide for gpt-image-1, whose other sizes differ slightly. */
const squareTokens = { low: 272, medium: 1_056, high: 4_160, xhigh: 6_000, max: 8_000 } as const;
type Quality = keyof typeof squareTokens;
const previewTokens = 100;

/** The output tokens of one image, in proportion to its pixels. */
export function imageTokensOf(quality: Quality, width: number, height: number): number {
  return Math.ceil((squareTokens[quality] * width * height) / 1_048_576);
}

const size: Check = (value, param) => {
  if (typeof value !== "string") throw wrongType(param, "a string");
  if (value === "auto") return;
  const { width, height } = parseSize(value);
  const ratio = width / height;
  const isPossible = width % 16 === 0 && height % 16 === 0 && ratio >= 1 / 3 && ratio <= 3;
  const [long, short] = [Math.max(width, height), Math.min(width, height)];
  if (!isPossible || width === 0 || long > 3_840 || short > 2_160) {
    throw badValue(
      param,
      `'${value}'. Both sides are multiples of 16, up to 3840x2160, and their ratio is 1:3 to 3:1.`,
    );
  }
};

function parseSize(text: string): { readonly width: number; readonly height: number } {
  const [, width = "0", height = "0"] = /^(\d{1,4})x(\d{1,4})$/.exec(text) ?? [];
  return { width: Number(width), height: Number(height) };
}

const sharedChecks = {
  model: isText(),
  prompt: isText(32_000),
  n: isNumber(1, 10, "integer"),
  size,
  user: isText(),
};
export const tokenImageChecks = {
  ...sharedChecks,
  quality: isOneOf("auto", ...Object.keys(squareTokens)),
  background: isOneOf("auto", "transparent", "opaque"),
  moderation: isOneOf("auto", "low"),
  output_format: isOneOf(...imageFormats),
  output_compression: isNumber(0, 100, "integer"),
  stream: isBoolean,
  partial_images: isNumber(0, 3, "integer"),
};
const pieceChecks = {
  ...sharedChecks,
  response_format: isOneOf("url", "b64_json"),
  seed: isNumber(0, 2 ** 32, "integer"),
};

export const parseImageGeneration: ParseOperation = ({ body, origin }) => {
  const parsed: unknown = JSON.parse(body.toString());
  const fields = fieldsOf(parsed);
  const isPiece = String(fields.model).endsWith("-piece");
  checkFields(fields, isPiece ? pieceChecks : tokenImageChecks, ["model", "prompt"]);
  return imageCall(parsed, { fields, isPiece, origin, inputs: [], event: "image_generation" });
};

export type ImageRequest = {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly isPiece: boolean;
  readonly origin: string;
  /** Images to edit. */
  readonly inputs: readonly { readonly width: number; readonly height: number }[];
  readonly event: "image_generation" | "image_edit";
};

export function imageCall(parsed: unknown, request: ImageRequest): OperationCall {
  const { fields } = request;
  const text = String(fields.prompt);
  assertConsistent(fields);
  if (text.toLowerCase().includes(flaggedWord)) {
    const sentence = "Your request was rejected by the safety system.";
    throw new Refusal(sentence, "moderation_blocked", null, 400, "image_generation_user_error");
  }
  return {
    parsed,
    model: String(fields.model),
    isStream: fields.stream === true,
    text,
    promptTokens: countTextTokens(text),
    answer: (script) => answerImages(request, script),
  };
}

function assertConsistent(fields: ImageRequest["fields"]): void {
  const format = fields.output_format ?? "png";
  if (fields.background === "transparent" && format === "jpeg") {
    throw badValue("background", "transparent backgrounds need png or webp.");
  }
  if (format === "png" && (fields.output_compression ?? 100) !== 100) {
    throw badValue("output_compression", "compression less than 100 is not supported for png.");
  }
  if ((fields.partial_images ?? 0) !== 0 && fields.stream !== true) {
    throw badValue("partial_images", "partial images are only sent when `stream` is true.");
  }
}

/** What is drawn, with every choice made. */
type Drawing = {
  readonly size: string;
  readonly quality: Quality;
  readonly output_format: ImageFormat;
  readonly background: string;
};

function drawingOf(fields: ImageRequest["fields"]): Drawing {
  const given = (name: string) => (fields[name] === "auto" ? undefined : fields[name]);
  const quality = given("quality");
  const format = imageFormats.find((name) => name === fields.output_format) ?? "png";
  return {
    size: String(given("size") ?? "1024x1024"),
    quality: isQuality(quality) ? quality : "medium",
    output_format: format,
    background: String(given("background") ?? "opaque"),
  };
}

function isQuality(value: unknown): value is Quality {
  return typeof value === "string" && Object.hasOwn(squareTokens, value);
}

function answerImages(request: ImageRequest, script: Script): OperationAnswer {
  const { fields, isPiece, origin, event } = request;
  const drawing = drawingOf(fields);
  const asked = typeof fields.n === "number" ? fields.n : 1;
  const count = Math.min(asked, script.images ?? asked);
  const created = Math.floor(Date.now() / 1000);
  const draw = (seed: string) => drawImage(drawing, `${String(fields.prompt)} ${seed}`);
  const indexes = Array.from({ length: count }, (_, index) => index);
  if (isPiece) {
    const data = indexes.map((index) =>
      fields.response_format === "b64_json"
        ? { b64_json: draw(`${index}`).toString("base64") }
        : { url: `${origin}/v1/images/drawn/${draw(`${index}`).toString("base64url")}` },
    );
    return jsonAnswer({ created, data });
  }
  const previews = fields.stream === true ? Number(fields.partial_images ?? 0) : 0;
  const usageOf = (images: number) => reportImageUsage(request, script, drawing, images, previews);
  if (fields.stream !== true) {
    const data = indexes.map((index) => ({ b64_json: draw(`${index}`).toString("base64") }));
    const usage = usageOf(count);
    return jsonAnswer({ created, ...drawing, data, usage }, usage);
  }
  const head = { created_at: created, ...drawing };
  const frames = indexes.flatMap((index): EventFrame[] => {
    const partials = Array.from({ length: previews }, (_, at) => {
      const b64_json = draw(`${index} ${at}`).toString("base64");
      const name = `${event}.partial_image`;
      return frame(name, { b64_json, partial_image_index: at, ...head }, 1);
    });
    const b64_json = draw(`${index}`).toString("base64");
    const usage = usageOf(1);
    const last = frame(`${event}.completed`, { b64_json, ...head, usage }, 0);
    return [...partials, { ...last, usage }];
  });
  return eventAnswer(frames);
}

function frame(name: string, event: object, tokens: number): EventFrame {
  return { name, data: JSON.stringify({ type: name, ...event }), tokens };
}

/** At most 64 pixels on a side, in the proportions of its size; the color is that of its seed. */
function drawImage({ size: named, output_format: format }: Drawing, seed: string): Buffer {
  const { width, height } = parseSize(named);
  const scale = 64 / Math.max(width, height);
  const [red = 0, green = 0, blue = 0] = createHash("sha256").update(seed).digest();
  return smallImage(format, {
    width: Math.round(width * scale),
    height: Math.round(height * scale),
    color: [red, green, blue],
  });
}

const imageUsage: UsageShape = {
  of: ({ prompt, completion, cached }) => ({
    input_tokens: prompt + cached,
    input_tokens_details: { text_tokens: prompt, image_tokens: cached },
    output_tokens: completion,
    output_tokens_details: { image_tokens: completion, text_tokens: 0 },
    total_tokens: prompt + cached + completion,
  }),
  plain: (prompt, completion) => ({
    input_tokens: prompt,
    output_tokens: completion,
    total_tokens: prompt,
  }),
};

/** The tokens of images to edit are counted as cached ones are elsewhere. */
function reportImageUsage(
  { fields, inputs }: ImageRequest,
  script: Script,
  drawing: Drawing,
  images: number,
  previews: number,
): unknown {
  const { width, height } = parseSize(drawing.size);
  const perImage = imageTokensOf(drawing.quality, width, height) + previews * previewTokens;
  const counts = {
    prompt: countTextTokens(String(fields.prompt)),
    completion: images * perImage,
    reasoning: 0,
    cached: inputs.reduce((sum, input) => sum + inputImageTokensOf(input.width, input.height), 0),
  };
  return reportUsage(script.usage, counts, imageUsage).at(-1);
}

/** A tile of 32 pixels is a token, up to 1,536. */
export function inputImageTokensOf(width: number, height: number): number {
  return Math.min(1_536, Math.ceil(width / 32) * Math.ceil(height / 32));
}
