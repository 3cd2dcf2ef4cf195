// The worker that parses Markdown of models: a slow text blocks this worker and not the page.
import { lexBounded } from "./lex-bounded.ts";

/** Reports that it has started, so that the time limit does not include the worker's startup. */
export type LexAnswer =
  | { readonly kind: "begun" }
  | { readonly kind: "read"; readonly tokens: ReturnType<typeof lexBounded> };

function answer(message: LexAnswer): void {
  self.postMessage(message);
}

self.addEventListener("message", ({ data }: MessageEvent<string>) => {
  answer({ kind: "begun" });
  answer({ kind: "read", tokens: lexBounded(data) });
});
