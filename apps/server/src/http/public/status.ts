// `/status.json` and `/status/feed.xml`: the public status, for anyone and from any page, from memory alone. The page
// `/status` of the console shows the first.
import type { Elysia } from "elysia";
import type { Services } from "../../services.ts";
import { writeFeed } from "../../status/write-feed.ts";

/** One made for many readers: a crowd comes when something is broken. */
const keptMs = 2_000;

export function registerStatus(app: Pick<Elysia, "get">, services: Services): void {
  const { status, config } = services;
  const startedAt = new Date();
  const json = keepBriefly(() => JSON.stringify(status.present()));
  const feed = keepBriefly(() =>
    writeFeed({
      publicUrl: config.PUBLIC_URL,
      productName: config.PRODUCT_NAME,
      incidents: status.present().incidents,
      since: startedAt,
    }),
  );
  app.get("/status.json", () => answer(json(), "application/json"));
  app.get("/status/feed.xml", () => answer(feed(), "application/atom+xml; charset=utf-8"));
}

function keepBriefly(make: () => string): () => string {
  let kept = "";
  let untilMs = 0;
  return () => {
    const nowMs = performance.now();
    if (nowMs >= untilMs) {
      kept = make();
      untilMs = nowMs + keptMs;
    }
    return kept;
  };
}

function answer(body: string, type: string): Response {
  return new Response(body, {
    headers: {
      "content-type": type,
      "cache-control": "public, max-age=15",
      "access-control-allow-origin": "*",
      "x-content-type-options": "nosniff",
    },
  });
}
