// Files that are named by their ids in calls of every language, over providers of every language: what is sent, held and charged is
// what it would be if the caller had sent the contents, and no provider sees an id.
import { describe, expect, test } from "bun:test";
import { smallImage } from "@turnpike/testing";
import {
  at,
  type JsonObject,
  openAccount,
  postJson,
  providerKey,
  readJson,
  readMoney,
  scriptText,
  startTestServer,
  testCatalog,
  testModels,
  useServer,
} from "../harness/index.ts";
import { filesEnvironment, useFiles } from "./use-files.fixture.ts";

const entry = (id: string, provider: string, upstream: string) => `
  - id: named/${id}
    contextTokens: 100000
    maxOutputTokens: 1000
    capabilities: [tools, vision, files, reasoning]
    reasoning: visible
    routes: [{ provider: ${provider}, model: ${upstream} }]
    prices: { input: "0.10", cachedInput: "0.025", cacheWrite: "0.125", output: "0.40" }`;

const catalog = (baseUrl: string) =>
  testCatalog(baseUrl).replace(
    "models:",
    `  - { id: native, baseUrl: "${baseUrl}", apiKey: "${providerKey}", quirks: { responses: native } }
  - { id: google, kind: google, baseUrl: "${baseUrl}beta", apiKey: "${providerKey}" }
models:${entry("chat", "scripted", "a")}${entry("responses", "native", "b")}${entry("claude", "claude", "c")}${entry("google", "google", "gemini-3-flash")}`,
  );

const { server, account } = await useServer(
  startTestServer({ environment: filesEnvironment, catalog }),
);
const { upload, ask } = useFiles(server);

const png = smallImage("png", { width: 64, height: 64, color: [255, 0, 0] });
const pdf = Buffer.from("%PDF-1.7\na document\n");

async function keep(bytes: Uint8Array, filename: string, key = account.key): Promise<string> {
  const purpose = filename.endsWith(".png") ? "vision" : "user_data";
  return String((await readJson(await upload(key, bytes, { purpose }, filename))).id);
}

const contents = {
  image: { id: await keep(png, "cat.png"), type: "image/png", data: png },
  document: { id: await keep(pdf, "a.pdf"), type: "application/pdf", data: pdf },
};
type Kind = keyof typeof contents;

const text = scriptText({ deltas: 2 });
const dataOf = (kind: Kind) => Buffer.from(contents[kind].data).toString("base64");
const urlOf = (kind: Kind) => `data:${contents[kind].type};base64,${dataOf(kind)}`;

type Language = {
  readonly path: (model: string) => string;
  readonly body: (part: JsonObject) => JsonObject;
  /** Parts that name the file. */
  readonly naming: (kind: Kind) => JsonObject;
  readonly inline: (kind: Kind) => JsonObject;
};

const languages: Readonly<Record<string, Language>> = {
  chat: {
    path: () => "/chat/completions",
    body: (part) => ({ messages: [{ role: "user", content: [part, { type: "text", text }] }] }),
    naming: (kind) => ({ type: "file", file: { file_id: contents[kind].id } }),
    inline: (kind) =>
      kind === "image"
        ? { type: "image_url", image_url: { url: urlOf(kind) } }
        : { type: "file", file: { filename: "a.pdf", file_data: urlOf(kind) } },
  },
  responses: {
    path: () => "/responses",
    body: (part) => ({ input: [{ role: "user", content: [part, { type: "input_text", text }] }] }),
    naming: (kind) => ({
      type: kind === "image" ? "input_image" : "input_file",
      file_id: contents[kind].id,
    }),
    inline: (kind) =>
      kind === "image"
        ? { type: "input_image", image_url: urlOf(kind) }
        : { type: "input_file", filename: "a.pdf", file_data: urlOf(kind) },
  },
  messages: {
    path: () => "/messages",
    body: (part) => ({
      max_tokens: 100,
      messages: [{ role: "user", content: [part, { type: "text", text }] }],
    }),
    naming: (kind) => ({ type: kind, source: { type: "file", file_id: contents[kind].id } }),
    inline: (kind) => ({
      type: kind,
      source: { type: "base64", media_type: contents[kind].type, data: dataOf(kind) },
    }),
  },
  gemini: {
    path: (model) => `beta/models/${model}:generateContent`,
    body: (part) => ({ contents: [{ role: "user", parts: [part, { text }] }] }),
    naming: (kind) => ({ fileData: { fileUri: contents[kind].id } }),
    inline: (kind) => ({ inlineData: { mimeType: contents[kind].type, data: dataOf(kind) } }),
  },
};

const names = Object.keys(languages);
const models = ["chat", "responses", "claude", "google"].map((name) => `named/${name}`);
const cases = names.flatMap((name) =>
  models.flatMap((model) => (["image", "document"] as const).map((kind) => [name, kind, model])),
) as readonly (readonly [string, Kind, string])[];

const languageOf = (name: string): Language => {
  const language = languages[name];
  if (language === undefined) throw new Error(`no language ${name}`);
  return language;
};

/** What was sent upstream for a call, and what it cost. */
async function callWith(name: string, model: string, part: JsonObject) {
  const language = languageOf(name);
  const before = (await readMoney(server, account.id)).balanceNanos;
  const body = { ...language.body(part), ...(name !== "gemini" && { model }) };
  const answer = await postJson(server, account.key, language.path(model), body);
  expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)]);
  const sent = server.upstream.requests.at(-1);
  return {
    sent: sent?.parsed,
    raw: sent?.body,
    cost: before - (await readMoney(server, account.id)).balanceNanos,
  };
}

describe("a file that is named", () => {
  test.each(cases)("in %s, %s, by %s is the file that is sent", async (name, kind, model) => {
    const { naming, inline } = languageOf(name);
    const named = await callWith(name, model, naming(kind));
    const sent = await callWith(name, model, inline(kind));
    expect([named.sent, named.cost]).toEqual([sent.sent, sent.cost]);
    expect(named.raw).toContain(dataOf(kind));
    expect(named.raw).not.toContain("file-");
  });
});

test.each(names)(
  "/v1/estimate of %s says the same of a file that is named or sent",
  async (name) => {
    const { body, naming, inline } = languageOf(name);
    const estimateOf = async (part: JsonObject) =>
      readJson(
        await postJson(server, account.key, "/estimate", { ...body(part), model: "named/chat" }),
      );
    const named = await estimateOf(naming("image"));
    expect(named).toEqual(await estimateOf(inline("image")));
    expect(Number(named.max_cost)).toBeGreaterThan(0);
  },
);

test("tokens are counted with the file", async () => {
  const { body, naming, inline } = languageOf("messages");
  const count = async (part: JsonObject) =>
    readJson(
      await postJson(server, account.key, "/messages/count_tokens", {
        ...body(part),
        model: "named/claude",
      }),
    );
  expect(await count(naming("document"))).toEqual(await count(inline("document")));
});

test("images to edit and a mask are named, and billed as the same images", async () => {
  const edit = async (image: JsonObject) => {
    const body = { model: testModels.image, prompt: "a boat", quality: "low", size: "1024x1024" };
    const fields = { ...body, images: [image], mask: image };
    const answer = await postJson(server, account.key, "/images/edits", fields);
    expect(answer.status).toBe(200);
    const sent = server.upstream.requests.at(-1);
    expect(sent?.body).not.toContain("file-");
    return { usage: at(await readJson(answer), "usage"), sent: sent?.parsed };
  };
  const named = await edit({ file_id: contents.image.id });
  expect(named).toEqual(await edit({ image_url: urlOf("image") }));
});

test("a text is read by models of every provider", async () => {
  const id = await keep(Buffer.from('line one\nline "two"\n'), "notes.txt");
  for (const model of models) {
    const { raw } = await callWith("chat", model, { type: "file", file: { file_id: id } });
    expect(raw).toContain('line one\\nline \\"two\\"\\n');
  }
});

test("calls are repeated and cached by what their files contain, and not by their ids", async () => {
  const other = await openAccount(server);
  const [first, same] = [await keep(pdf, "a.pdf", other.key), await keep(pdf, "a.pdf", other.key)];
  const changed = await keep(Buffer.concat([pdf, pdf]), "a.pdf", other.key);
  const { body, inline } = languageOf("chat");
  const send = async (part: JsonObject, headers: Readonly<Record<string, string>>) => {
    const before = server.upstream.requests.length;
    const fields = { ...body(part), model: "named/chat" };
    const { status } = await postJson(server, other.key, "/chat/completions", fields, { headers });
    return [status, server.upstream.requests.length - before];
  };
  const naming = (id: string) => ({ type: "file", file: { file_id: id } });
  const once = { "idempotency-key": "a" };
  expect(await send(naming(first), once)).toEqual([200, 1]);
  for (const part of [naming(first), naming(same), inline("document")]) {
    expect(await send(part, once)).toEqual([200, 0]);
  }
  const [status, calls] = await send(naming(changed), once);
  expect([Number(status) >= 400, calls]).toEqual([true, 0]);
  const cached = { "x-openrouter-cache": "true" };
  expect(await send(naming(first), cached)).toEqual([200, 1]);
  expect(await send(naming(same), cached)).toEqual([200, 0]);
  expect(await send(naming(changed), cached)).toEqual([200, 1]);
});

test("a file of several chunks arrives whole", async () => {
  const large = Buffer.concat([pdf, Buffer.alloc(3_000_001, "0123456789")]);
  const id = await keep(large, "large.pdf");
  const { raw } = await callWith("chat", "named/chat", { type: "file", file: { file_id: id } });
  expect(raw).toContain(large.toString("base64"));
  expect((await ask(account.key, `/${id}`, { method: "DELETE" })).status).toBe(200);
});
