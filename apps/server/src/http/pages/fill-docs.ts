// The docs for programs (`/docs/*.md`, `/llms.txt`, `/sitemap.xml`) and the manifest of the console: its build leaves
// `{{names}}` in them for what differs between installations; they are filled in here.

import type { ServeConsole } from "../routes/unknown-url.ts";
import {
  consoleFacts,
  escapeFacts,
  escapeJson,
  fillIn,
  type Offered,
  type Site,
} from "./console-facts.ts";

const docs =
  /^\/(?:llms(?:-full)?\.txt|robots\.txt|sitemap\.xml|manifest\.webmanifest|docs(?:\/[\w-]+)?\.md)$/;

/** Everything else passes through `serve` unchanged. */
export function fillDocs(
  serve: ServeConsole,
  site: Site,
  models: () => Iterable<Offered>,
): ServeConsole {
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (!docs.test(pathname)) return serve(request);
    // Neither compressed nor "not modified": the file on disk is not what is sent.
    const answer = await serve(new Request(request.url, { method: request.method }));
    if (!answer?.ok) return answer;
    const isManifest = pathname.endsWith(".webmanifest");
    const facts = consoleFacts(site, [...models()]);
    const text = fillIn(await answer.text(), isManifest ? escapeFacts(facts, escapeJson) : facts);
    const headers = new Headers(answer.headers);
    headers.delete("etag");
    // Browsers show plain text, and download Markdown.
    if (/\.(?:md|txt)$/.test(pathname)) headers.set("content-type", "text/plain; charset=utf-8");
    return new Response(text, { headers });
  };
}
