// The docs for programs (`/docs/*.md`, `/llms.txt`, `/sitemap.xml`): the console's build leaves `{{names}}` in them for
// what differs between installations; they are filled in here.
import type { Capability, Model } from "@turnpike/catalog";
import type { Config } from "../config.ts";
import type { ServeConsole } from "./unknown-url.ts";

const docs = /^\/(?:llms(?:-full)?\.txt|robots\.txt|sitemap\.xml|docs(?:\/[\w-]+)?\.md)$/;

/** Everything else passes through `serve` unchanged. */
export function fillDocs(
  serve: ServeConsole,
  config: Pick<Config, "PUBLIC_URL" | "PRODUCT_NAME">,
  models: () => Iterable<Pick<Model, "id" | "capabilities" | "operation">>,
): ServeConsole {
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (!docs.test(pathname)) return serve(request);
    // Neither compressed nor "not modified": the file on disk is not what is sent.
    const answer = await serve(new Request(request.url, { method: request.method }));
    if (!answer?.ok) return answer;
    const facts = factsOf(config, [...models()]);
    const text = (await answer.text()).replace(
      /\{\{(\w+)\}\}/g,
      (whole, name: string) => facts[name] ?? whole,
    );
    const headers = new Headers(answer.headers);
    headers.delete("etag");
    // Browsers show plain text, and download Markdown.
    if (!pathname.endsWith(".xml")) headers.set("content-type", "text/plain; charset=utf-8");
    return new Response(text, { headers });
  };
}

/** As in the console: snippets run as pasted if there is a model to run them with. */
function factsOf(
  { PUBLIC_URL, PRODUCT_NAME }: Pick<Config, "PUBLIC_URL" | "PRODUCT_NAME">,
  models: readonly Pick<Model, "id" | "capabilities" | "operation">[],
): Readonly<Record<string, string>> {
  const chat = models.filter(({ operation }) => operation === "chat");
  const model = chat[0]?.id ?? "provider/model";
  const able = (need: Capability) =>
    chat.find(({ capabilities }) => capabilities.includes(need))?.id ?? model;
  return {
    site: PUBLIC_URL,
    baseUrl: `${PUBLIC_URL}/v1`,
    product: PRODUCT_NAME,
    model,
    toolsModel: able("tools"),
    schemaModel: able("json_schema"),
    visionModel: able("vision"),
    filesModel: able("files"),
    reasoningModel: able("reasoning"),
    embeddingsModel: models.find(({ operation }) => operation === "embeddings")?.id ?? model,
    modelUrls: models
      .map(({ id }) => `  <url><loc>${PUBLIC_URL}/models/${encodeURI(id)}</loc></url>\n`)
      .join("")
      .replaceAll("&", "&amp;"),
  };
}
