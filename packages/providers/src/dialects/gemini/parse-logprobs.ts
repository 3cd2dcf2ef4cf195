// Gemini's log probabilities in OpenAI's shape.
import { isObject, type JsonObject, parseText } from "@turnpike/base";

/** `logprobsResult` of a candidate; undefined if it is absent. */
export function parseLogprobs(result: unknown): JsonObject | undefined {
  if (!isObject(result) || !Array.isArray(result.chosenCandidates)) return undefined;
  const tops: readonly unknown[] = Array.isArray(result.topCandidates) ? result.topCandidates : [];
  const content = result.chosenCandidates.filter(isObject).map((chosen, index) => {
    const top = tops[index];
    const candidates = isObject(top) && Array.isArray(top.candidates) ? top.candidates : [];
    return { ...parseToken(chosen), top_logprobs: candidates.filter(isObject).map(parseToken) };
  });
  return { content, refusal: null };
}

function parseToken({ token, logProbability }: JsonObject) {
  const text = parseText(token) ?? "";
  const logprob = typeof logProbability === "number" ? logProbability : 0;
  return { token: text, logprob, bytes: [...Buffer.from(text)] };
}
