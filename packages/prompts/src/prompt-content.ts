// What is stored of a call: its request and its answer, redacted and bounded, without files except what the answer made. Calls
// that ask not to be kept are not stored.
import { createSlices, isObject, type JsonObject, parseObject } from "@turnpike/base";
import { type Cleaning, cleanJson } from "./clean-json.ts";
import { dropLongData } from "./drop-files.ts";
import { audioOf, findImages, type StoredMedia } from "./find-media.ts";
import { joinStream } from "./join-stream.ts";
import type { Redactions } from "./redact-text.ts";

/** Each of a request and of an answer; what is longer is cut. */
const storedCharsMax = 1_048_576;
/** Of a request without its files, and of the bytes of an answer: parsing more would stop other calls. */
export const readMax = 4 * 1_048_576;

export type PromptContent = {
  readonly request: unknown;
  /** Null if there was none; with `error` if it broke off. */
  readonly answer: unknown;
  readonly truncated: { readonly request: boolean; readonly answer: boolean };
  /** How often something was replaced, by kind; null: nothing was looked for. */
  readonly redactions: Redactions | null;
  /** What was drawn or spoken; absent if nothing was, where something is redacted, and in rows of earlier versions. */
  readonly media?: readonly StoredMedia[];
};

export type RawPrompt = {
  readonly request: string;
  /** As it was sent: one JSON text, or the events of a stream. */
  readonly answer: string | undefined;
  /** The bytes of an answer that is audio; `answer` says then what it is. */
  readonly audio?: Buffer | undefined;
  readonly isStream: boolean;
  /** `answer` is only its beginning. */
  readonly isCut: boolean;
  readonly redacts: boolean;
};

/** `declined`: the request asks not to be kept. `unreadable`: it is not a JSON object, so what it asks is unknown. */
export async function describePrompt(
  raw: RawPrompt,
): Promise<PromptContent | "declined" | "too_large" | "unreadable"> {
  const text = await dropLongData(raw.request);
  if (text.length > readMax) return "too_large";
  const asked = parseObject(text);
  if (asked === undefined) return "unreadable";
  if (declinesStorage(asked)) return "declined";
  const redactions: Redactions | undefined = raw.redacts ? {} : undefined;
  const afterWork = createSlices();
  const open = (isTruncated: boolean): Cleaning => {
    return { room: storedCharsMax, isTruncated, redactions, afterWork };
  };
  const ofRequest = open(false);
  const request = await cleanJson(asked, ofRequest);
  const ofAnswer = open(raw.isCut);
  const answer = await cleanJson(await parseAnswer(raw), ofAnswer);
  return {
    request,
    answer,
    truncated: { request: ofRequest.isTruncated, answer: ofAnswer.isTruncated },
    redactions: redactions ?? null,
    ...mediaOf(raw),
  };
}

function mediaOf({
  answer,
  audio,
  isStream,
  isCut,
  redacts,
}: RawPrompt): Pick<PromptContent, "media"> {
  if (redacts) return {};
  const spoken = audio === undefined || isCut ? undefined : audioOf(audio);
  const drawn = findImages(answer ?? "", isStream);
  const media = spoken === undefined ? drawn : [spoken, ...drawn];
  return media.length === 0 ? {} : { media };
}

async function parseAnswer({ answer, isStream }: RawPrompt): Promise<unknown> {
  if (answer === undefined) return null;
  if (isStream) return joinStream(answer);
  const text = await dropLongData(answer);
  return parseObject(text) ?? text;
}

function declinesStorage({ store, provider, providerOptions }: JsonObject): boolean {
  if (store === false) return true;
  if (isObject(providerOptions) && declinesInOptions(providerOptions)) return true;
  if (!isObject(provider)) return false;
  return provider.data_collection === "deny" || provider.zdr === true;
}

/** The same in the AI SDK's words. */
function declinesInOptions({ gateway, ...others }: JsonObject): boolean {
  if (Object.values(others).some((options) => isObject(options) && options.store === false)) {
    return true;
  }
  if (!isObject(gateway)) return false;
  return gateway.zeroDataRetention === true || gateway.disallowPromptTraining === true;
}
