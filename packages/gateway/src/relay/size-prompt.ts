// How many tokens a prompt has, for a stream that says so in its first event, before anything is billed. It is counted
// while the upstream works, in a thread of its own, so that no first byte waits for it; until the count is there, and
// for what is not counted, it is sized by its bytes.
import { countPromptSample, guessPromptTokens } from "@turnpike/catalog";
import { isRelayed } from "@turnpike/providers";
import type { ParsedRequest, PromptSize, StreamProtocol } from "@turnpike/wire";
import type { Completion } from "../completion.ts";

/** Undefined if the stream does not say it, or says what its upstream reports. */
export function sizePrompt<Request extends ParsedRequest>(
  { matched, request, route, call }: Completion<Request>,
  { beginsWithPrompt }: StreamProtocol<Request>,
): PromptSize | undefined {
  if (beginsWithPrompt !== true) return undefined;
  const size = { tokens: guessPromptTokens(matched) };
  // Another route may still translate what the first would have relayed.
  if (isRelayed(route.provider, request)) return size;
  const caller = { accountId: call.principal.accountId, signal: call.signal };
  countPromptSample(matched, caller).then(
    (tokens) => {
      size.tokens = tokens;
    },
    // The client has left, or the thread has died: nobody is told less than before.
    () => undefined,
  );
  return size;
}
