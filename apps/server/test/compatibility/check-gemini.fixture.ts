// What answers of Gemini's API may contain, according to Google's reference and to what its SDKs take: response by response,
// and as one body. Written without our code.
import { asObject, at, type JsonObject } from "../harness/index.ts";
import {
  checkError,
  fail,
  isCount,
  isText,
  listOf,
  must,
  type Verdict,
} from "./check-frames.fixture.ts";

/** `isOwn`: parts are the upstream's, whatever they are. */
function textOfCandidate(candidate: JsonObject, isOwn: boolean): string {
  must(isOwn || isCount(candidate.index), "no index", candidate);
  const content = asObject(candidate.content ?? {});
  if ((content.parts ?? null) === null) return "";
  let text = "";
  for (const part of listOf(content.parts, "parts")) {
    if (isText(part.text)) text += part.text;
    else if (isCall(part.functionCall)) {
      const { name, args } = asObject(part.functionCall);
      must(isOwn || (isText(name) && typeof args === "object"), "a call", part);
      text += isText(name) ? name : "";
    } else must(isOwn, "an unknown part", part);
  }
  return text;
}

function isCall(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function checkUsage(usage: JsonObject): void {
  for (const name of ["promptTokenCount", "candidatesTokenCount", "totalTokenCount"]) {
    must(isCount(usage[name]), `no ${name}`, usage);
  }
  must(typeof usage.cost === "number" && usage.cost >= 0, "no cost", usage);
}

/** Lines of data and line feeds alone; the last response has the bill, or is an error. */
export function checkGeminiStream(stream: string, isOwn: boolean): Verdict {
  must(/^\n*(?:data: [^\n\r]*\n\n+)*$/.test(stream), "something else than data", stream);
  let text = "";
  let ended: Verdict["ended"] | undefined;
  for (const [, json = ""] of stream.matchAll(/^data: (.*)$/gm)) {
    const response = asObject(JSON.parse(json));
    must(ended === undefined, "something follows the end", response);
    if ("error" in response) {
      checkError(response, ["status"]);
      ended = "failed";
      continue;
    }
    must(isText(response.responseId) && isText(response.modelVersion), "identity", response);
    for (const candidate of listOf(response.candidates ?? [], "candidates")) {
      text += textOfCandidate(candidate, isOwn);
    }
    if (at(response, "usageMetadata.cost") === undefined) continue;
    checkUsage(asObject(response.usageMetadata));
    ended = "whole";
  }
  return { ended: ended ?? fail("the stream has no end"), text };
}

export function checkGeminiBody(body: JsonObject): Verdict {
  must(isText(body.responseId) && isText(body.modelVersion), "identity", body);
  checkUsage(asObject(body.usageMetadata));
  const candidates = listOf(body.candidates ?? [], "candidates");
  const text = candidates.map((candidate) => textOfCandidate(candidate, true)).join("");
  return { ended: "whole", text };
}
