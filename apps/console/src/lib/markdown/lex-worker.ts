// The thread that reads Markdown of models: a text that takes long keeps this thread busy and no page.
import { lexBounded } from "./lex-bounded.ts";

/** First that it begins, so that the time limit does not count what a thread needs to start. */
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
