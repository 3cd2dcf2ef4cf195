// The life of a file: uploaded, listed, read as it came and inert, expired or deleted with its bytes; in three versions of OpenAI's
// client as well.
import { describe, expect, test } from "bun:test";
import { purgeObjects } from "@turnpike/objects";
import { majors } from "../clients/openai-majors.ts";
import {
  asObject,
  expectCallHeaders,
  openAccount,
  readJson,
  startTestServer,
  useServer,
} from "../harness/index.ts";
import { filesEnvironment, useFiles } from "./use-files.fixture.ts";

const { server, account } = await useServer(startTestServer({ environment: filesEnvironment }));
const { ask, upload, countBlobs, countRows } = useFiles(server);

const day = 86_400;
const userData = { purpose: "user_data" };

test("a file is shown as OpenAI does, and read as it came", async () => {
  const text = "Line one\nLine two\n";
  const answer = await upload(account.key, text, userData, "../../étc/passwd notes.txt");
  expectCallHeaders(answer.headers);
  const file = await readJson(answer);
  expect(file).toEqual({
    id: expect.stringMatching(/^file-[0-9a-f]{32}$/),
    object: "file",
    bytes: text.length,
    created_at: expect.any(Number),
    filename: "passwd notes.txt",
    purpose: "user_data",
    status: "processed",
  });
  expect(await readJson(await ask(account.key, `/${file.id}`))).toEqual(file);
  const content = await ask(account.key, `/${file.id}/content`);
  expect(await content.text()).toBe(text);
  expect(Object.fromEntries(content.headers)).toMatchObject({
    "content-type": "text/plain",
    "content-length": String(text.length),
    "content-disposition": `attachment; filename="passwd notes.txt"; filename*=UTF-8''passwd%20notes.txt`,
    "content-security-policy": "sandbox",
    "x-content-type-options": "nosniff",
    "cache-control": "private, no-store",
  });
  const head = await ask(account.key, `/${file.id}/content`, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
});

test.each([
  [
    "an image that scripts",
    "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
    "application/octet-stream",
  ],
  ["a page", "<!doctype html><script>alert(1)</script>", "text/plain"],
  ["a document", "%PDF-1.7 a document", "application/pdf"],
  ["what is unknown", "\u0000\u0001 bytes", "application/octet-stream"],
])("%s is never handed out as what a browser runs", async (_name, content, type) => {
  const { id } = await readJson(await upload(account.key, content, userData, "x.html"));
  const answer = await ask(account.key, `/${id}/content`);
  expect(answer.headers.get("content-type")).toBe(type);
  expect(answer.headers.get("content-disposition")).toStartWith("attachment;");
  expect(await answer.text()).toBe(content);
});

test("a large file is in the folder, and neither there nor in the table as it came", async () => {
  const before = countBlobs();
  const bytes = Buffer.alloc(20_000_000, "a line that is a secret\n");
  const { id, bytes: size } = await readJson(await upload(account.key, bytes, userData));
  expect([size, countBlobs()]).toEqual([bytes.byteLength, before + 1]);
  const content = await ask(account.key, `/${id}/content`);
  expect(Buffer.from(await content.arrayBuffer()).equals(bytes)).toBe(true);
  expect(await readJson(await ask(account.key, `/${id}`, { method: "DELETE" }))).toEqual({
    id,
    object: "file",
    deleted: true,
  });
  expect(countBlobs()).toBe(before);
  expect((await ask(account.key, `/${id}`)).status).toBe(404);
});

test("lists have pages, an order and a purpose", async () => {
  const other = await openAccount(server);
  const ids: string[] = [];
  for (const purpose of ["batch", "user_data", "batch", "user_data", "batch"]) {
    const { id } = await readJson(await upload(other.key, '{"custom_id":"1"}\n', { purpose }));
    ids.push(String(id));
  }
  const list = async (query: string) => {
    const { data, has_more: more } = await readJson(await ask(other.key, query));
    const files = Array.isArray(data) ? data : [];
    return { ids: files.map((file) => asObject(file).id), more };
  };
  const [first, second, third, fourth, fifth] = ids;
  expect(await list("")).toEqual({ ids: ids.toReversed(), more: false });
  expect(await list("?limit=2")).toEqual({ ids: [fifth, fourth], more: true });
  expect(await list(`?limit=2&after=${fourth}`)).toEqual({ ids: [third, second], more: true });
  expect(await list(`?order=asc&after=${third}`)).toEqual({ ids: [fourth, fifth], more: false });
  expect(await list("?purpose=batch&order=asc")).toEqual({
    ids: [first, third, fifth],
    more: false,
  });
  const page = await readJson(await ask(other.key, "?limit=2"));
  expect([page.first_id, page.last_id]).toEqual([fifth, fourth]);
});

test("files expire as their caller said, those of batches after 30 days, with their bytes", async () => {
  const other = await openAccount(server);
  const lasts = async (fields: Record<string, string>) => {
    const file = await readJson(await upload(other.key, "x".repeat(70_000), fields));
    return Number(file.expires_at) - Number(file.created_at);
  };
  expect(await lasts({ purpose: "batch" })).toBe(30 * day);
  const after = { "expires_after[anchor]": "created_at", "expires_after[seconds]": "3600" };
  expect(await lasts({ ...userData, ...after })).toBe(3_600);
  const asJson = JSON.stringify({ anchor: "created_at", seconds: 7_200 });
  expect(await lasts({ ...userData, expires_after: asJson })).toBe(7_200);
  const { objects, jobsDatabase } = server.services;
  if (objects === undefined) throw new Error("files are not kept");
  const [before, rows] = [countBlobs(), await countRows(other)];
  await server.owner.sql`update objects set expires_at = now() where account_id = ${other.id}`;
  expect(await readJson(await ask(other.key, ""))).toMatchObject({ data: [], has_more: false });
  await purgeObjects(jobsDatabase.db, objects.blobs);
  expect([rows, await countRows(other)]).toEqual([3, 0]);
  expect(countBlobs()).toBe(before - 3);
});

describe.each(majors)("openai %s", (_, OpenAI) => {
  test("files.create, list, retrieve, content and delete", async () => {
    const other = await openAccount(server);
    const client = new OpenAI({ apiKey: other.key, baseURL: server.baseUrl });
    const lines = '{"custom_id":"1"}\n{"custom_id":"2"}\n';
    const file = await client.files.create({
      file: new File([lines], "lines.jsonl"),
      purpose: "batch",
    });
    expect(file).toMatchObject({
      filename: "lines.jsonl",
      bytes: lines.length,
      status: "processed",
    });
    const listed: string[] = [];
    for await (const { id } of client.files.list({ purpose: "batch", limit: 1 })) listed.push(id);
    expect(listed).toEqual([file.id]);
    expect(await client.files.retrieve(file.id)).toMatchObject({ id: file.id });
    expect(await (await client.files.content(file.id)).text()).toBe(lines);
  });
});
