import { expect, test } from "bun:test";
import type { ServeConsole } from "../routes/unknown-url.ts";
import { fillPages } from "./fill-pages.ts";

const shell =
  '<head><title>Turnpike</title><meta name="description" content="A gateway." /></head><body>shell</body>';
const drawnHome =
  '<head><title>{{product}}</title><meta name="description" content="At {{baseUrl}}." /><script type="application/ld+json">{"name":"{{product}}"}</script></head><body>drawn {{product}}</body>';
const files: Readonly<Record<string, string>> = {
  "/prerendered/index.html": drawnHome,
  "/prerendered/docs/errors.html": drawnHome,
};
const site = { PUBLIC_URL: "https://turnpike.example", PRODUCT_NAME: 'A&B "C"' };
const model = {
  id: "acme/one",
  name: "One <fast>",
  description: 'Says "hello".',
  operation: "chat" as const,
  capabilities: [],
};

const html = { headers: { "content-type": "text/html; charset=utf-8" } };
const files404: ServeConsole = async ({ url, headers }) => {
  const { pathname } = new URL(url);
  const file = files[pathname];
  if (file !== undefined) return new Response(file, html);
  return headers.get("accept")?.includes("text/html") ? new Response(shell, html) : undefined;
};
const serve = fillPages(files404, site, () => new Map([[model.id, model]]));

async function read(path: string, headers: Record<string, string> = {}) {
  const sent = { accept: "text/html", ...headers };
  const answer = await serve(new Request(`http://localhost:3000${path}`, { headers: sent }));
  return (await answer?.text()) ?? "";
}

test("visitors get the drawn page, with the facts of this installation in HTML and in its data", async () => {
  for (const path of ["/", "/docs/errors"]) {
    const page = await read(path);
    expect(page).toContain("drawn A&amp;B &quot;C&quot;");
    expect(page).toContain("<title>A&amp;B &quot;C&quot;</title>");
    expect(page).toContain('{"name":"A&B \\"C\\""}');
    expect(page).toContain(`<link rel="canonical" href="https://turnpike.example${path}" />`);
    expect(page).toContain('property="og:description" content="At https://turnpike.example/v1."');
  }
});

test("members get the console itself, because the same address shows another page to them", async () => {
  for (const name of ["turnpike_session", "__Host-turnpike_session"]) {
    const page = await read("/", { cookie: `other=1; ${name}=secret` });
    expect(page).toBe(shell);
  }
  expect(await read("/", { cookie: "not_turnpike_session=1" })).toContain("drawn");
});

test("a model's page has the model's title, description and address", async () => {
  const page = await read("/models/acme/one");
  expect(page).toContain("<title>One &lt;fast&gt; · A&amp;B");
  expect(page).toContain('content="Says &quot;hello&quot;."');
  expect(page).toContain('property="og:url" content="https://turnpike.example/models/acme/one"');
});

test("pages of members, unknown pages and files pass unchanged", async () => {
  for (const path of ["/keys", "/models/no/such", "/models/%E0%A4%A", "/docs/no-such"]) {
    expect([path, await read(path)]).toEqual([path, shell]);
  }
  expect(await read("/", { accept: "application/json" })).toBe("");
});

test("an unchanged page is not sent again, and is compressed for those who take it", async () => {
  const ask = (headers: Record<string, string>) =>
    serve(new Request("http://localhost/", { headers: { accept: "text/html", ...headers } }));
  const first = await ask({ "accept-encoding": "gzip" });
  expect(first?.headers.get("content-encoding")).toBe("gzip");
  expect(first?.headers.get("vary")).toBe("Accept-Encoding, Cookie");
  const unpacked = Bun.gunzipSync(new Uint8Array(await (first?.arrayBuffer() ?? [])));
  expect(new TextDecoder().decode(unpacked)).toContain("drawn");
  const again = await ask({ "if-none-match": first?.headers.get("etag") ?? "" });
  expect(again?.status).toBe(304);
  expect(
    (await ask({ "accept-encoding": "gzip;q=0" }))?.headers.get("content-encoding"),
  ).toBeNull();
});

test("every public page has a picture of its title for links to it, and others have none", async () => {
  for (const [path, preview] of [
    ["/", "/preview/home.png"],
    ["/docs/errors", "/preview/docs/errors.png"],
    ["/models/acme/one", "/preview/models/acme/one.png"],
  ] as const) {
    expect(await read(path)).toContain(`content="https://turnpike.example${preview}"`);
    const answer = await serve(new Request(`http://localhost:3000${preview}`));
    expect(answer?.headers.get("content-type")).toBe("image/png");
    const bytes = new DataView(await (answer?.arrayBuffer() ?? new ArrayBuffer()));
    // The header of a PNG: its width and height.
    expect([bytes.getUint32(16), bytes.getUint32(20)]).toEqual([1_200, 630]);
  }
  for (const path of ["/preview/keys.png", "/preview/docs/no-such.png", "/preview/models/no.png"]) {
    expect(await serve(new Request(`http://localhost:3000${path}`))).toBeUndefined();
  }
});
