// What the console's build leaves open as `{{name}}` because it differs between installations.
import type { Capability, Model } from "@turnpike/catalog";
import type { Config } from "../../config.ts";

export type Site = Pick<Config, "PUBLIC_URL" | "PRODUCT_NAME">;
export type Offered = Pick<Model, "id" | "capabilities" | "operation">;
export type ConsoleFacts = Readonly<Record<string, string>>;

/** Names that are not known stay as they are. */
export function fillIn(text: string, facts: ConsoleFacts): string {
  return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => facts[name] ?? whole);
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** Within a JSON string, also one in a page. */
export function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1).replaceAll("<", "\\u003c");
}

export function escapeFacts(facts: ConsoleFacts, encode: (text: string) => string): ConsoleFacts {
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, encode(value)]));
}

/** Of what `escapeHtml` wrote. */
export function unescapeHtml(html: string): string {
  return html
    .replaceAll("&quot;", '"')
    .replaceAll("&gt;", ">")
    .replaceAll("&lt;", "<")
    .replaceAll("&amp;", "&");
}

/** As in the console: snippets run as pasted if there is a model to run them with. */
export function consoleFacts(
  { PUBLIC_URL, PRODUCT_NAME }: Site,
  models: readonly Offered[],
): ConsoleFacts {
  const chat = models.filter(({ operation }) => operation === "chat");
  const model = chat[0]?.id ?? "provider/model";
  const able = (need: Capability) =>
    chat.find(({ capabilities }) => capabilities.includes(need))?.id ?? model;
  const modelFor = (wanted: Offered["operation"]) =>
    models.find(({ operation }) => operation === wanted)?.id ?? model;
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
    embeddingsModel: modelFor("embeddings"),
    imageModel: modelFor("image"),
    rerankModel: modelFor("rerank"),
    moderationModel: modelFor("moderation"),
    modelUrls: models
      .map(({ id }) => `  <url><loc>${PUBLIC_URL}/models/${encodeURI(id)}</loc></url>\n`)
      .join("")
      .replaceAll("&", "&amp;"),
  };
}
