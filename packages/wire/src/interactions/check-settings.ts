// What the other members of a request for an interaction may look like. Tools that Google runs, and settings of media that
// are answered by endpoints of their own, are refused by name.
import { isObject } from "@turnpike/base";
import { stopsMax } from "@turnpike/terms";
import { unsupported, wrongType } from "../checks/body-fault.ts";
import {
  anyObject,
  anyText,
  decimal,
  integer,
  list,
  memberPath,
  object,
  oneOf,
  type Rule,
  rule,
  text,
  textOrObject,
} from "../checks/check-value.ts";

const nonEmptyText = text({ nonEmpty: true });

/** Not honored by any provider. */
function refused(why: string): Rule {
  return rule({}, (_value, path) => {
    throw unsupported(path, why);
  });
}

const declaration = object({
  required: { name: text({ nonEmpty: true, maxLength: 128, pattern: /^[\w.:-]+$/ }) },
  optional: { description: anyText, parameters: anyObject },
});

const tool = rule(declaration.bounds, (value, path) => {
  if (!isObject(value)) throw wrongType(path, "an object", value);
  nonEmptyText(value.type, memberPath(path, "type"));
  if (value.type === "function") return declaration(value, path);
  throw unsupported(
    `${path}.type`,
    "Tools of Google and of MCP servers are not run here. Offer tools of type 'function', and run them yourself.",
  );
});

export const tools = list(tool, { max: 1_024, of: "objects" });

const mode = oneOf(["auto", "any", "none", "validated"]);

const toolChoice = textOrObject(
  mode,
  object({
    optional: {
      allowed_tools: object({
        optional: { mode, tools: list(anyText, { max: 1_024, of: "strings" }) },
      }),
    },
  }),
);

const imageConfig = object({ optional: { aspect_ratio: anyText, image_size: anyText } });

const elsewhere = "Speech, transcriptions and videos have endpoints of their own.";

export const generationConfig = object({
  optional: {
    temperature: decimal(0, 2),
    top_p: decimal(0, 1),
    seed: integer(-(2 ** 63), 2 ** 63),
    max_output_tokens: integer(1, 2 ** 31 - 1),
    stop_sequences: list(anyText, { max: stopsMax, of: "strings" }),
    thinking_level: oneOf(["minimal", "low", "medium", "high", "xhigh"]),
    thinking_summaries: oneOf(["auto", "none"]),
    tool_choice: toolChoice,
    image_config: imageConfig,
    speech_config: refused(elsewhere),
    transcription_config: refused(elsewhere),
    video_config: refused(elsewhere),
  },
});

export const responseMimeType = oneOf(["text/plain", "application/json"]);

const textFormat = object({ optional: { mime_type: responseMimeType, schema: anyObject } });
const imageFormat = object({
  optional: {
    mime_type: anyText,
    aspect_ratio: anyText,
    image_size: anyText,
    delivery: oneOf(["inline"]),
  },
});

const format = rule({ object: {} }, (value, path) => {
  if (!isObject(value)) throw wrongType(path, "an object", value);
  const { type } = value;
  if (type === "audio" || type === "video") throw unsupported(`${path}.type`, elsewhere);
  if (type === "image") imageFormat(value, path);
  // Any other object is a schema, as the first SDKs sent it.
  else if (type === "text") textFormat(value, path);
});

const formats = list(format, { max: 16, of: "objects" });

export const responseFormat = rule({ ...format.bounds, ...formats.bounds }, (value, path) =>
  Array.isArray(value) ? formats(value, path) : format(value, path),
);

export const responseModalities = list(oneOf(["text", "image"]), { of: "strings" });

export const safetySettings = list(
  object({ optional: { type: anyText, threshold: anyText, method: anyText } }),
  { of: "objects" },
);

export const serviceTier = oneOf(["standard", "flex", "priority"]);
