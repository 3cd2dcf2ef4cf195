// What search engines, previews of links and browsers without scripts read of a public page: title, description and
// address, and for visitors the page itself as the console's build drew it. Members' pages pass unchanged.
import type { Model } from "@turnpike/catalog";
import { acceptsEncoding } from "../answers/accepts-encoding.ts";
import type { ServeConsole } from "../routes/unknown-url.ts";
import {
  consoleFacts,
  escapeFacts,
  escapeHtml,
  escapeJson,
  fillIn,
  type Offered,
  type Site,
  unescapeHtml,
} from "./console-facts.ts";
import { drawPreview, type Preview } from "./draw-preview.ts";

type Described = Offered & Pick<Model, "name" | "description">;

type Head = { readonly title: string; readonly description: string };

type Packed = { readonly page: Bytes; readonly gzip: Bytes; readonly etag: string };

/** Of what it was made. */
type Filled = Packed & {
  readonly html: string;
  readonly models: ReadonlyMap<string, Described>;
};
type Bytes = Uint8Array<ArrayBuffer>;

/** Each model and each page of the docs has one. */
const filledMax = 2_000;
const previewPath = /^\/preview\/(.{1,300})\.png$/;
const drawn = /^\/(?:docs(?:\/[\w-]+)?)?$/;
const sessionCookie = /(?:^|;\s?)(?:__Host-)?turnpike_session=/;
const title = /<title>([^<]*)<\/title>/;
const structuredData = /<script type="application\/ld\+json">[^<]*<\/script>/;
const description = /<meta name="description" content="([^"]*)"/;

export function fillPages(
  serve: ServeConsole,
  site: Site,
  models: () => ReadonlyMap<string, Described>,
): ServeConsole {
  const filled = new Map<string, Filled>();
  const previews = new Map<string, Promise<Bytes>>();
  const page: ServeConsole = async (request) => {
    const { pathname } = new URL(request.url);
    const isPage = request.headers.get("accept")?.includes("text/html") === true;
    const isDrawn = drawn.test(pathname) && !isMember(request);
    const head = headOf(pathname, site, models());
    if (!isPage || (!isDrawn && head === undefined)) return serve(request);
    const file = isDrawn ? await serveFile(serve, request, pathname) : undefined;
    if (file === undefined && head === undefined) return serve(request);
    const answer =
      file ?? (await serve(new Request(request.url, { headers: { accept: "text/html" } })));
    if (!answer?.ok || answer.headers.get("content-type")?.startsWith("text/html") !== true) {
      return answer;
    }
    const html = await answer.text();
    const key = `${pathname} ${isDrawn}`;
    const known = filled.get(key);
    // A catalog that is read again is another map.
    if (known?.html === html && known.models === models()) {
      return answerPage(request, known, answer.headers);
    }
    const source = fillHtml(html, site, [...models().values()], pathname, head);
    const packed = { ...pack(source), html, models: models() };
    if (filled.size > filledMax) filled.clear();
    filled.set(key, packed);
    return answerPage(request, packed, answer.headers);
  };
  return async (request) => {
    const path = previewPath.exec(new URL(request.url).pathname)?.[1];
    if (path === undefined) return page(request);
    const pathname = path === "home" ? "/" : `/${path}`;
    const preview = await readPreview(page, new URL(pathname, request.url).href, site);
    return preview && servePreview(previews, preview);
  };
}

/** What the picture of a public page says; undefined for pages that have none. */
async function readPreview(
  page: ServeConsole,
  url: string,
  { PRODUCT_NAME: product }: Site,
): Promise<Preview | undefined> {
  const answer = await page(new Request(url, { headers: { accept: "text/html" } }));
  const html = answer?.ok === true ? await answer.text() : "";
  if (!html.includes('property="og:image"')) return undefined;
  const read = (form: RegExp) => unescapeHtml(form.exec(html)?.[1] ?? "");
  const shown = read(title).replace(` · ${product}`, "");
  return { product, title: shown, description: read(description) };
}

async function servePreview(
  previews: Map<string, Promise<Bytes>>,
  preview: Preview,
): Promise<Response> {
  const key = JSON.stringify(preview);
  const drawing = previews.get(key) ?? drawPreview(preview);
  if (previews.size > filledMax) previews.clear();
  previews.set(key, drawing);
  const png = await drawing.catch((error: unknown) => {
    previews.delete(key);
    throw error;
  });
  const headers = { "content-type": "image/png", "cache-control": "public, max-age=86400" };
  return new Response(png, { headers });
}

/** The same address shows another page to those who are signed in. */
function isMember(request: Request): boolean {
  return sessionCookie.test(request.headers.get("cookie") ?? "");
}

function serveFile(serve: ServeConsole, request: Request, pathname: string) {
  const file = `/prerendered${pathname === "/" ? "/index" : pathname}.html`;
  return serve(new Request(new URL(file, request.url).href));
}

/** Of public pages that are not drawn, or not for members; undefined for all others. */
function headOf(
  pathname: string,
  { PRODUCT_NAME: product }: Site,
  models: ReadonlyMap<string, Described>,
): Head | undefined {
  const known: Readonly<Record<string, Head>> = {
    "/models": {
      title: `Models and prices · ${product}`,
      description: `The ${models.size} models that ${product} offers, with their prices per million tokens, context and abilities.`,
    },
    "/models/compare": {
      title: `Compare models · ${product}`,
      description: `Prices, context, speed and abilities of models that ${product} offers, side by side.`,
    },
    "/status": {
      title: `Status · ${product}`,
      description: `Availability and response times of ${product} by model and provider over 90 days, and incidents.`,
    },
    "/legal/terms": { title: `Terms · ${product}`, description: `The terms of ${product}.` },
    "/legal/privacy": {
      title: `Privacy · ${product}`,
      description: `The privacy policy of ${product}.`,
    },
    "/login": { title: `Sign in · ${product}`, description: `Sign in to ${product}.` },
    "/register": {
      title: `Create your account · ${product}`,
      description: `Create a ${product} account: one API key for every model, prepaid.`,
    },
  };
  const model = pathname.startsWith("/models/") ? models.get(modelIdOf(pathname)) : undefined;
  if (model === undefined) return known[pathname];
  const about = model.description || `Prices, context and examples of ${model.id}.`;
  return { title: `${model.name} · ${product}`, description: about };
}

function modelIdOf(pathname: string): string {
  const encoded = pathname.slice("/models/".length);
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

function fillHtml(
  html: string,
  site: Site,
  models: readonly Offered[],
  pathname: string,
  head: Head | undefined,
): string {
  const facts = consoleFacts(site, models);
  const page = fillIn(
    html.replace(structuredData, (data) => fillIn(data, escapeFacts(facts, escapeJson))),
    escapeFacts(facts, escapeHtml),
  );
  const shown = {
    title: head === undefined ? (title.exec(page)?.[1] ?? "") : escapeHtml(head.title),
    description:
      head === undefined ? (description.exec(page)?.[1] ?? "") : escapeHtml(head.description),
  };
  return page
    .replace(title, () => `<title>${shown.title}</title>`)
    .replace(description, () => `<meta name="description" content="${shown.description}"`)
    .replace("</head>", () => `  ${linkTags(site, pathname, shown).join("\n    ")}\n  </head>`);
}

/** Source: https://ogp.me and the cards of X. */
function linkTags({ PUBLIC_URL, PRODUCT_NAME }: Site, pathname: string, shown: Head): string[] {
  const url = escapeHtml(PUBLIC_URL + (pathname === "/" ? "/" : pathname));
  const properties = {
    "og:type": "website",
    "og:site_name": escapeHtml(PRODUCT_NAME),
    "og:title": shown.title,
    "og:description": shown.description,
    "og:url": url,
    "og:image": escapeHtml(`${PUBLIC_URL}/preview${pathname === "/" ? "/home" : pathname}.png`),
    "twitter:card": "summary_large_image",
  };
  return [
    `<link rel="canonical" href="${url}" />`,
    ...Object.entries(properties).map(
      ([property, content]) => `<meta property="${property}" content="${content}" />`,
    ),
  ];
}

function pack(source: string): Packed {
  const page = new TextEncoder().encode(source);
  const etag = `"${Bun.hash(page).toString(36)}"`;
  return { page, gzip: Bun.gzipSync(page), etag };
}

function answerPage(request: Request, { page, gzip, etag }: Packed, received: Headers): Response {
  const headers = new Headers(received);
  headers.set("etag", etag);
  headers.set("vary", "Accept-Encoding, Cookie");
  headers.delete("content-encoding");
  if (request.headers.get("if-none-match")?.includes(etag)) {
    headers.delete("content-type");
    return new Response(null, { status: 304, headers });
  }
  const takesGzip = acceptsEncoding(request, "gzip");
  if (takesGzip) headers.set("content-encoding", "gzip");
  return new Response(takesGzip ? gzip : page, { headers });
}
