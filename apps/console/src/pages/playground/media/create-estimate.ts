// What a request would cost at most, asked once nobody has changed it for a moment. Files are not sent for it.
import { createEffect, createSignal, on, onCleanup } from "solid-js";
import { asRecord } from "../../../product/completions/parse-chunk.ts";
import type { Failure } from "../../../product/completions/run-completion.ts";
import { postMedia } from "./post-media.ts";

export type Estimate =
  | { readonly kind: "estimated"; readonly maxUsd: string }
  | { readonly kind: "failed"; readonly failure: Failure };

const pauseMs = 400;

/** Of the body as it is; undefined without a body. */
export function createEstimate(body: () => object | undefined): () => Estimate | undefined {
  const [estimate, setEstimate] = createSignal<Estimate>();
  createEffect(
    on(body, (wanted) => {
      if (wanted === undefined) return setEstimate(undefined);
      const controller = new AbortController();
      const ask = async () => {
        const found = await askEstimate(wanted, controller.signal);
        if (!controller.signal.aborted) setEstimate(found);
      };
      const timer = setTimeout(() => void ask(), pauseMs);
      onCleanup(() => {
        clearTimeout(timer);
        controller.abort();
      });
    }),
  );
  return estimate;
}

async function askEstimate(body: object, signal: AbortSignal): Promise<Estimate | undefined> {
  const answer = await postMedia("estimate", body, signal);
  if (answer.kind === "failed") return answer;
  const { max_cost_usd: maxUsd } = asRecord(await answer.response.json().catch(() => undefined));
  return typeof maxUsd === "string" ? { kind: "estimated", maxUsd } : undefined;
}
