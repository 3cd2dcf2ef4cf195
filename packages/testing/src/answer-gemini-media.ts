// How the scripted upstream answers generateContent of models that make images (`…-image`), speak (`…-tts`) or write down what
// they hear (`…-transcribe`). Like the real service it refuses every name and value that it does not know.
import { speechSecondsOf, toneOf } from "./answer-speech.ts";
import { hearAudio } from "./hear-audio.ts";
import {
  countTextTokens,
  jsonAnswer,
  type OperationAnswer,
  type ParseOperation,
} from "./operation-call.ts";
import { fieldsOf } from "./parse-chat-body.ts";
import type { Script } from "./parse-script.ts";
import { badValue, type Check, checkFields, isNumber, isOneOf, isText } from "./refuse-request.ts";
import { reportUsage, type UsageShape } from "./report-usage.ts";
import { smallImage } from "./small-images.ts";

export const geminiMediaPath =
  /^\/v1beta\/models\/[^/:]*-(?:image|tts|transcribe):generateContent$/;

/** Of one image, whatever its form. */
export const geminiImageTokens = 1_290;
export const geminiReferenceTokens = 258;
export const geminiSpokenTokensPerSecond = 25;
export const geminiHeardTokensPerSecond = 32;
export const geminiVoices = ["Kore", "Puck", "Zephyr"] as const;

type Modality = "IMAGE" | "AUDIO" | "TEXT";
type Kind = "image" | "tts" | "transcribe";

const isConfig: Readonly<Record<Kind, Readonly<Record<string, Check>>>> = {
  image: {
    responseModalities: isModality("IMAGE"),
    imageConfig: fieldsThat({
      aspectRatio: isOneOf(..."1:1 2:3 3:2 3:4 4:3 4:5 5:4 9:16 16:9 21:9".split(" ")),
      imageSize: isOneOf("512", "2K", "4K"),
    }),
    seed: isNumber(0, 2 ** 31 - 1, "integer"),
  },
  tts: {
    responseModalities: isModality("AUDIO"),
    speechConfig: fieldsThat({
      voiceConfig: fieldsThat({
        prebuiltVoiceConfig: fieldsThat({ voiceName: isOneOf(...geminiVoices) }),
      }),
    }),
  },
  transcribe: {
    maxOutputTokens: isNumber(1, 65_536, "integer"),
    temperature: isNumber(0, 2, "decimal"),
    seed: isNumber(0, 2 ** 31 - 1, "integer"),
  },
};

function fieldsThat(checks: Readonly<Record<string, Check>>): Check {
  return (value) => checkFields(fieldsOf(value), checks, []);
}

function isModality(only: Modality): Check {
  return (value, param) => {
    if (JSON.stringify(value) !== JSON.stringify([only])) throw badValue(param, `not [${only}]`);
  };
}

export const parseGeminiMedia: ParseOperation = ({ path, body }) => {
  const parsed: unknown = JSON.parse(body.toString());
  const [, model = "", ending = ""] = /models\/([^:]*-(\w+)):/.exec(path) ?? [];
  const kind = ending === "image" || ending === "tts" ? ending : "transcribe";
  const fields = fieldsOf(parsed);
  checkFields(fields, { contents: () => undefined, generationConfig: fieldsThat(isConfig[kind]) }, [
    "contents",
    "generationConfig",
  ]);
  const { text, files } = readParts(fields.contents);
  const asked: Asked = { kind, text, files };
  const promptTokens = promptOf(asked).total;
  return { parsed, model, isStream: false, text, promptTokens, answer: (s) => generate(asked, s) };
};

type File = { readonly mimeType: string; readonly bytes: Buffer };
type Asked = { readonly kind: Kind; readonly text: string; readonly files: readonly File[] };

function readParts(contents: unknown): Omit<Asked, "kind"> {
  const [turn, ...others] = Array.isArray(contents) ? contents : [];
  const { role, parts } = fieldsOf(turn);
  if (others.length > 0 || role !== "user" || !Array.isArray(parts) || parts.length === 0) {
    throw badValue("contents", "expected one turn of the user");
  }
  let text = "";
  const files: File[] = [];
  for (const part of parts) {
    checkFields(fieldsOf(part), { text: isText(), inlineData: isFile }, []);
    const { text: said, inlineData } = fieldsOf(part);
    if (typeof said === "string") text += said;
    const { mimeType, data } = fieldsOf(inlineData);
    if (inlineData) {
      files.push({ mimeType: String(mimeType), bytes: Buffer.from(String(data), "base64") });
    }
  }
  return { text, files };
}

/** By its first bytes: a type that a caller made up is no type. */
const isFile: Check = (value, param) => {
  checkFields(fieldsOf(value), { mimeType: isText(), data: isText() }, ["mimeType", "data"]);
  const { mimeType, data } = fieldsOf(value);
  const bytes = Buffer.from(String(data), "base64");
  if (bytes.toString("base64") !== data) throw badValue(param, "not base64");
  const starts: Readonly<Record<string, string>> = {
    "image/png": "\x89PNG",
    "image/jpeg": "\xff\xd8",
    "image/webp": "RIFF",
    "audio/wav": "RIFF",
  };
  const start = starts[String(mimeType)];
  if (start === undefined || !bytes.toString("latin1").startsWith(start)) {
    throw badValue(param, `not of the type ${mimeType}`);
  }
};

function promptOf({ text, files }: Asked): Record<Modality | "total", number> {
  const counts = { TEXT: countTextTokens(text), IMAGE: 0, AUDIO: 0 };
  for (const { mimeType, bytes } of files) {
    if (mimeType.startsWith("image/")) counts.IMAGE += geminiReferenceTokens;
    else counts.AUDIO += Math.ceil(hearAudio(bytes).seconds * geminiHeardTokensPerSecond);
  }
  return { ...counts, total: counts.TEXT + counts.IMAGE + counts.AUDIO };
}

function generate(asked: Asked, script: Script): OperationAnswer {
  const prompt = promptOf(asked);
  const made = make(asked, script);
  const counts = { prompt: prompt.total, completion: made.tokens, reasoning: 0, cached: 0 };
  const usage = reportUsage(script.usage, counts, usageWith(prompt, made.modality)).at(-1);
  const candidates = [
    { content: { role: "model", parts: [made.part] }, finishReason: "STOP", index: 0 },
  ];
  const head = { modelVersion: "scripted", responseId: "rEsp0nse" };
  return jsonAnswer({ candidates, usageMetadata: usage, ...head }, usage);
}

type Made = { readonly part: object; readonly tokens: number; readonly modality: Modality };

function make({ kind, text, files }: Asked, script: Script): Made {
  if (kind === "image") {
    const image = smallImage("png", { width: 16, height: 16, color: [200, 120, 40] });
    const inlineData = { mimeType: "image/png", data: image.toString("base64") };
    return { part: { inlineData }, tokens: geminiImageTokens, modality: "IMAGE" };
  }
  if (kind === "tts") {
    const seconds = speechSecondsOf(text);
    const data = toneOf(seconds).toString("base64");
    const inlineData = { mimeType: "audio/L16;codec=pcm;rate=24000", data };
    const tokens = Math.ceil(seconds * geminiSpokenTokensPerSecond);
    return { part: { inlineData }, tokens, modality: "AUDIO" };
  }
  const [audio] = files;
  if (audio === undefined) throw badValue("contents", "there is nothing to hear");
  const heard = script.text ?? hearAudio(audio.bytes).heard;
  return { part: { text: `${heard}\n` }, tokens: countTextTokens(heard), modality: "TEXT" };
}

function usageWith(prompt: ReturnType<typeof promptOf>, modality: Modality): UsageShape {
  const details = (["TEXT", "IMAGE", "AUDIO"] as const).flatMap((name) =>
    prompt[name] === 0 ? [] : [{ modality: name, tokenCount: prompt[name] }],
  );
  const plain: UsageShape["plain"] = (promptTokenCount, candidatesTokenCount) => ({
    promptTokenCount,
    candidatesTokenCount,
  });
  return {
    plain,
    of: ({ prompt: total, completion }) => ({
      promptTokenCount: total,
      candidatesTokenCount: completion,
      totalTokenCount: total + completion,
      promptTokensDetails: details,
      candidatesTokensDetails: [{ modality, tokenCount: completion }],
    }),
  };
}
