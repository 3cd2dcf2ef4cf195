// Requests of Gemini's API for the tests: parsed as those of one address, or refused.
import { Fault } from "@turnpike/base";
import { type GeminiRequest, parseGeminiRequest } from "./parse-gemini-request.ts";

export const target = { model: "a/b", stream: false };
export const hello = { role: "user", parts: [{ text: "Hello" }] };

export function parse(body: object): GeminiRequest {
  return parseGeminiRequest(JSON.stringify({ contents: [hello], ...body }), target);
}

/** The code and the field of a refusal; fails if there is none. */
export function refusalOf(body: object): [string, unknown] {
  try {
    parse(body);
  } catch (thrown) {
    if (thrown instanceof Fault) return [thrown.code, thrown.details.param];
    throw thrown;
  }
  throw new Error("accepted");
}
