// The HTTP side of the response cache, under OpenRouter's header names: a caller that asks for it gets the
// answer to an identical request again, free, until the lifetime it chose has passed. The body of a hit
// has the id and the time of the hit and a usage of zero, as at OpenRouter.
import { Fault, formatGenerationId, parseBearer } from "@turnpike/base";
import { type Answer, type Call, costHeader, serveCached } from "@turnpike/gateway";
import { type ParsedRequest, replaceIdentity } from "@turnpike/wire";
import type { CacheHit } from "../../answers/answer-cache.ts";
import { bodyToSend, isAudio } from "../../answers/body-form.ts";
import { captureAnswer } from "../../answers/capture-answer.ts";
import type { Services } from "../../services.ts";
import { persistRepeated } from "./stored-items.ts";

export const cacheHeader = "x-openrouter-cache";
const ttlHeader = "x-openrouter-cache-ttl";
const clearHeader = "x-openrouter-cache-clear";
/** Two requests that differ in these are not the same. */
const answeringHeaders = ["anthropic-beta", "anthropic-version", "originator", "x-max-cost"];
const ttlDefaultSeconds = 300;
const ttlMaxSeconds = 86_400;

/** Answers from the cache, or by `run`, whose answer is kept if it is complete. */
export async function completeCached<Parsed extends ParsedRequest>(
  services: Pick<Services, "config" | "gateway" | "answerCache" | "itemStore">,
  call: Call<Parsed>,
  run: () => Promise<Answer>,
): Promise<Answer> {
  const { gateway, answerCache } = services;
  const { principal, operation, generationId, protocol, text, headers } = call;
  const settings = parseSettings(headers);
  // The playground has no key to seal an answer with, and sends no such header.
  if (settings === undefined || principal.keyId === null) return run();
  const apiKey = parseBearer(headers);
  const { accountId } = principal;
  const { language } = protocol;
  const said = answeringHeaders.map((name) => headers.get(name) ?? "");
  said.push(protocol.shapeFor?.(headers) ?? "", ...(protocol.addressed?.split("\n") ?? []));
  const cached = { accountId, apiKey, operation, language, text, headers: said };
  const hit = settings.clear ? undefined : await answerCache.find(cached);
  if (hit !== undefined)
    return persistRepeated(services, call, await answerHit(gateway, call, hit));
  const { answer, kept } = captureAnswer(await run());
  const keep = kept.then(async (copy) => {
    if (copy === undefined || copy === "not_kept" || copy.isBroken === true) return;
    if ("x-turnpike-max-tokens" in copy.headers) return;
    await answerCache.keep(cached, copy, { generationId, ttlSeconds: settings.ttlSeconds });
  });
  // So that a request repeated immediately after its answer finds it.
  if (typeof answer.body === "string") await keep;
  const headersOfMiss = {
    [`${cacheHeader}-status`]: "MISS",
    [ttlHeader]: String(settings.ttlSeconds),
  };
  return { ...answer, headers: { ...answer.headers, ...headersOfMiss } };
}

/** Rejects with the Fault to answer with instead: a hit counts against the key's rates. */
async function answerHit<Parsed extends ParsedRequest>(
  gateway: Services["gateway"],
  call: Call<Parsed>,
  { answer, generationId, ageSeconds, ttlSeconds, ...found }: CacheHit,
): Promise<Answer> {
  const streamed = isStream(answer.headers["content-type"] ?? "", answer.body);
  const { model, endUser } = found;
  const served = { model, endUser, streamed, usageDetails: { cachedFrom: generationId } };
  const headers = {
    ...answer.headers,
    ...(costHeader in answer.headers && { [costHeader]: "0" }),
    ...(await serveCached(gateway, call, served)),
    [`${cacheHeader}-status`]: "HIT",
    [`${cacheHeader}-age`]: String(ageSeconds),
    [ttlHeader]: String(ttlSeconds),
    [`${cacheHeader}-source-id`]: formatGenerationId(generationId),
  };
  const id = call.protocol.answerId(call.generationId);
  const identity = { id, created: Math.floor(Date.now() / 1000) };
  if (isAudio(answer.headers)) {
    return { headers, body: bodyToSend(answer.headers, answer.body), sent: undefined };
  }
  const body = await replaceIdentity(answer.body, streamed, identity);
  return { headers, body, sent: undefined };
}

/** A list of events is one JSON value. */
function isStream(contentType: string, body: string): boolean {
  return contentType.startsWith("text/event-stream") || body.startsWith("[");
}

type CacheSettings = { readonly clear: boolean; readonly ttlSeconds: number };

/** Undefined if the caller turns the cache off. */
function parseSettings(headers: Headers): CacheSettings | undefined {
  if (!parseSwitch(headers, cacheHeader)) return undefined;
  const ttl = headers.get(ttlHeader) ?? String(ttlDefaultSeconds);
  const ttlSeconds = /^\d{1,6}$/.test(ttl) ? Number(ttl) : 0;
  if (ttlSeconds < 1 || ttlSeconds > ttlMaxSeconds) {
    const sentence = `Invalid '${ttlHeader}': expected whole seconds from 1 to ${ttlMaxSeconds}.`;
    throw new Fault("invalid_value", sentence, { param: ttlHeader });
  }
  return { clear: parseSwitch(headers, clearHeader), ttlSeconds };
}

function parseSwitch(headers: Headers, name: string): boolean {
  const value = headers.get(name)?.toLowerCase() ?? "false";
  if (value === "true" || value === "1") return true;
  if (value === "false" || value === "0") return false;
  throw new Fault("invalid_value", `Invalid '${name}': expected true or false.`, { param: name });
}
