import { expect, test } from "bun:test";
import { fillDocs } from "./fill-docs.ts";

const text =
  "{{product}} at {{baseUrl}} with {{model}}, {{toolsModel}}; {{ secrets.KEY }} {{other}}";
const config = { PUBLIC_URL: "https://turnpike.example", PRODUCT_NAME: "Acme" };
const models = [
  { id: "acme/small", operation: "chat" as const, capabilities: [] },
  { id: "acme/tools", operation: "chat" as const, capabilities: ["tools" as const] },
];
const serve = fillDocs(
  async ({ url }) => (url.includes("missing") ? undefined : new Response(text)),
  config,
  () => models,
);
const read = async (path: string) =>
  (await serve(new Request(`http://localhost:3000${path}`)))?.text();

test("docs for programs name this installation and its models, and keep other placeholders", async () => {
  const filled =
    "Acme at https://turnpike.example/v1 with acme/small, acme/tools; {{ secrets.KEY }} {{other}}";
  for (const path of [
    "/llms.txt",
    "/llms-full.txt",
    "/robots.txt",
    "/docs.md",
    "/docs/errors.md",
  ]) {
    expect(await read(path)).toBe(filled);
  }
});

test("the sitemap is XML and lists the page of each model", async () => {
  const sitemap = fillDocs(
    async () => new Response("{{modelUrls}}", { headers: { "content-type": "application/xml" } }),
    config,
    () => [{ id: "acme/a&b c", operation: "chat", capabilities: [] }],
  );
  const answer = await sitemap(new Request("http://localhost:3000/sitemap.xml"));
  expect(answer?.headers.get("content-type")).toBe("application/xml");
  expect(await answer?.text()).toBe(
    "  <url><loc>https://turnpike.example/models/acme/a&amp;b%20c</loc></url>\n",
  );
});

test("files that are not docs pass unchanged, and a missing doc stays missing", async () => {
  for (const path of ["/", "/docs", "/docs/errors", "/assets/docs.md", "/docs/a/b.md"]) {
    expect(await read(path)).toBe(text);
  }
  expect(await read("/docs/missing.md")).toBeUndefined();
});

test("the manifest is JSON with the name of this installation, whatever it contains", async () => {
  const type = "application/manifest+json";
  const manifest = fillDocs(
    async () => new Response('{"name":"{{product}}"}', { headers: { "content-type": type } }),
    { ...config, PRODUCT_NAME: 'A "B" <C>' },
    () => [],
  );
  const answer = await manifest(new Request("http://localhost:3000/manifest.webmanifest"));
  expect(answer?.headers.get("content-type")).toBe(type);
  expect(await answer?.json()).toEqual({ name: 'A "B" <C>' });
});
