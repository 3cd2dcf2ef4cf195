// How the scripted upstream makes images as OpenRouter does (`/v1/images`) and as Together does (`/together/v1/images/generations`).
// Each takes the fields of its own API and no others, and an image to edit as a data URL alone.
import { countTextTokens, eventAnswer, jsonAnswer, type ParseOperation } from "./operation-call.ts";
import { fieldsOf } from "./parse-chat-body.ts";
import {
  badValue,
  type Check,
  checkFields,
  isBoolean,
  isList,
  isNumber,
  isOneOf,
  isText,
} from "./refuse-request.ts";
import { smallImage } from "./small-images.ts";

/** Of one image of OpenRouter; Together reports none. */
export const openrouterImageTokens = 1_290;

const isImageUrl: Check = (value, param) => {
  const [, type, data = ""] = /^data:image\/(png|jpeg|webp);base64,(.+)$/.exec(String(value)) ?? [];
  if (type === undefined || Buffer.from(data, "base64").toString("base64") !== data) {
    throw badValue(param, "expected a data URL of an image.");
  }
};

const isReference: Check = (value, param) => {
  checkFields(fieldsOf(value), { type: isOneOf("image_url"), image_url: () => undefined }, [
    "type",
  ]);
  isImageUrl(fieldsOf(fieldsOf(value).image_url).url, param);
};

const isSize: Check = (value, param) => {
  if (!/^(?:\d+x\d+|512|[124]K)$/.test(String(value))) throw badValue(param, "no size.");
};

const openrouterChecks = {
  model: isText(),
  prompt: isText(),
  n: isNumber(1, 10, "integer"),
  size: isSize,
  aspect_ratio: isText(),
  quality: isOneOf("low", "medium", "high"),
  output_format: isOneOf("png", "jpeg", "webp", "svg"),
  output_compression: isNumber(0, 100, "integer"),
  background: isOneOf("transparent", "opaque"),
  seed: isNumber(0, 2 ** 32, "integer"),
  stream: isBoolean,
  input_references: isList(isReference, { max: 16 }),
};

const togetherChecks = {
  model: isText(),
  prompt: isText(),
  n: isNumber(1, 4, "integer"),
  width: isNumber(64, 1_792, "integer"),
  height: isNumber(64, 1_792, "integer"),
  steps: isNumber(1, 50, "integer"),
  seed: isNumber(0, 2 ** 32, "integer"),
  image_url: isImageUrl,
  output_format: isOneOf("png", "jpeg"),
  response_format: isOneOf("base64", "url"),
};

const picture = () =>
  smallImage("jpeg", { width: 16, height: 16, color: [90, 90, 90] }).toString("base64");

export const parseOpenrouterImages: ParseOperation = ({ body }) => {
  const parsed: unknown = JSON.parse(body.toString());
  const fields = fieldsOf(parsed);
  checkFields(fields, openrouterChecks, ["model", "prompt"]);
  const count = typeof fields.n === "number" ? fields.n : 1;
  const text = String(fields.prompt);
  const promptTokens = countTextTokens(text);
  const tokens = openrouterImageTokens * count;
  const usage = {
    prompt_tokens: promptTokens,
    completion_tokens: tokens,
    total_tokens: promptTokens + tokens,
    completion_tokens_details: { image_tokens: tokens },
    // What the operator pays there is not what a caller pays here.
    cost: 123.45,
    is_byok: false,
  };
  const image = { b64_json: picture(), media_type: "image/jpeg" };
  const isStream = fields.stream === true;
  const completed = { type: "image_generation.completed", ...image, usage };
  return {
    parsed,
    model: String(fields.model),
    isStream,
    text,
    promptTokens,
    answer: () =>
      isStream
        ? eventAnswer([
            { data: JSON.stringify(completed), tokens: 1, usage },
            { data: "[DONE]", tokens: 0 },
          ])
        : jsonAnswer(
            { created: 1, data: Array.from({ length: count }, () => image), usage },
            usage,
          ),
  };
};

export const parseTogetherImages: ParseOperation = ({ body }) => {
  const parsed: unknown = JSON.parse(body.toString());
  const fields = fieldsOf(parsed);
  checkFields(fields, togetherChecks, ["model", "prompt"]);
  const count = typeof fields.n === "number" ? fields.n : 1;
  const text = String(fields.prompt);
  return {
    parsed,
    model: String(fields.model),
    isStream: false,
    text,
    promptTokens: countTextTokens(text),
    answer: () => {
      const data = Array.from({ length: count }, (_, index) => ({ index, b64_json: picture() }));
      return jsonAnswer({ id: "tg-1", model: fields.model, object: "list", data });
    },
  };
};
