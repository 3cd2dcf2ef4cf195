// The tokens of a prompt, by our own count. Neither a broken route nor a short context matters.
import { Fault } from "@turnpike/base";
import { estimatePromptTokens } from "@turnpike/catalog";
import { type MeasuredRequest, measureRequest } from "./measure-request.ts";

/** Bounds the work: seconds of it. Twice the longest context that is sold. */
const countedMax = 2_000_000;

export type TokenCount = {
  readonly promptTokens: number;
  readonly headers: Readonly<Record<string, string>>;
};

/** Rejects as `measureRequest` does, except for the length of the request. */
export async function countTokens(measured: MeasuredRequest): Promise<TokenCount> {
  return measureRequest(
    measured,
    () => 1,
    async ({ modelRequest }, caller) => {
      const promptTokens = await estimatePromptTokens(modelRequest, caller, countedMax + 1);
      if (promptTokens > countedMax) throw tooMany();
      return { promptTokens };
    },
  );
}

function tooMany(): Fault {
  const most = countedMax.toLocaleString("en-US");
  return new Fault(
    "context_length_exceeded",
    `Prompts are counted up to ${most} tokens, and this one has more.`,
    { param: "messages" },
  );
}
