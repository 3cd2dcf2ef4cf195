// Files whose contents are in a bucket: uploaded, read, named in calls, deleted and expired as in a folder, and what callers are told
// while the service of the bucket is away.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { writeArchive } from "@turnpike/archive";
import { purgeObjects } from "@turnpike/objects";
import { prepareS3, type S3Server } from "@turnpike/testing";
import { archiveAccount } from "../../src/archive-account.ts";
import {
  expectFault,
  type JsonObject,
  openAccount,
  postJson,
  readJson,
  readMoney,
  startTestServer,
  type TestAccount,
  type TestServer,
  testModels,
} from "../harness/index.ts";
import { filesEnvironment, useFiles } from "./use-files.fixture.ts";

const prepared = await prepareS3();
if (prepared.kind === "absent") console.log(`skip: moto: ${prepared.reason}`);

describe.skipIf(prepared.kind === "absent")("files in a bucket", () => {
  let s3: S3Server;
  let server: TestServer;
  let ada: TestAccount;
  let files: ReturnType<typeof useFiles>;

  beforeAll(async () => {
    if (prepared.kind === "absent") return;
    s3 = await prepared.start();
    server = await startTestServer({
      environment: {
        ...filesEnvironment,
        OBJECTS_FOLDER: "",
        OBJECTS_S3_ENDPOINT: s3.settings.endpoint,
        OBJECTS_S3_REGION: s3.settings.region,
        OBJECTS_S3_BUCKET: s3.settings.bucket,
        OBJECTS_S3_ACCESS_KEY_ID: s3.settings.accessKeyId,
        OBJECTS_S3_SECRET_ACCESS_KEY: s3.settings.secretAccessKey,
      },
    });
    files = useFiles(server);
    ada = await openAccount(server);
  });
  afterAll(async () => {
    await server?.close();
    await s3?.stop();
  });

  /** By another client than that of the server. */
  const stored = async () => {
    const client = new Bun.S3Client(s3.settings);
    const { contents = [] } = await client.list();
    return Promise.all(contents.map(({ key }) => client.file(key).text()));
  };
  const keep = async (bytes: Uint8Array, purpose = "user_data") => {
    const answer = await files.upload(ada.key, bytes, { purpose });
    return String((await readJson(answer)).id);
  };
  const chat = (id: string): JsonObject => ({
    model: testModels.vision,
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "Read this." },
          { type: "file", file: { file_id: id } },
        ],
      },
    ],
  });
  const purge = () => {
    const { objects, jobsDatabase } = server.services;
    if (objects === undefined) throw new Error("files are not kept");
    return purgeObjects(jobsDatabase.db, objects.blobs);
  };

  test("a large file is read as it was sent, is encrypted in the bucket, and leaves nothing there", async () => {
    const bytes = Buffer.alloc(5_000_001, "a secret of the caller\n");
    const id = await keep(bytes);
    const segments = await stored();
    expect(segments).toHaveLength(3);
    for (const segment of segments) expect(segment).not.toContain("a secret");
    const content = await files.ask(ada.key, `/${id}/content`);
    expect((await content.bytes()).toBase64()).toBe(bytes.toBase64());
    expect((await files.ask(ada.key, `/${id}`, { method: "DELETE" })).status).toBe(200);
    expect((await files.ask(ada.key, `/${id}/content`)).status).toBe(404);
    expect(await stored()).toEqual([]);
    expect(await files.countRows(ada)).toBe(0);
  });

  test("a call that names a file is one with its contents, and the file expires with its bytes", async () => {
    const id = await keep(Buffer.from("a line of the file\n".repeat(5_000)));
    const answer = await postJson(server, ada.key, "/chat/completions", chat(id));
    expect(answer.status).toBe(200);
    await answer.text();
    expect(JSON.stringify(server.upstream.requests.at(-1))).toContain("a line of the file");
    await server.owner.sql`update objects set expires_at = now() where account_id = ${ada.id}`;
    expect((await files.ask(ada.key, `/${id}/content`)).status).toBe(404);
    await purge();
    expect(await stored()).toEqual([]);
    expect(await files.countRows(ada)).toBe(0);
  });

  test("a form that ends in the middle of a file leaves nothing in the bucket", async () => {
    const half = Buffer.concat([
      Buffer.from('--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'),
      Buffer.alloc(5_000_000, "x"),
    ]);
    const answer = await files.ask(ada.key, "", {
      method: "POST",
      headers: { "content-type": "multipart/form-data; boundary=b" },
      body: half,
    });
    expect(answer.status).toBe(400);
    expect(await stored()).toEqual([]);
    expect(await files.countRows(ada)).toBe(0);
  });

  test("while the bucket is away calls that need it are 503 and cost nothing, and the rest goes on", async () => {
    const large = await keep(randomBytes(100_000));
    const { balanceNanos } = await readMoney(server, ada.id);
    const sent = server.upstream.requests.length;
    s3.setAway(true);
    const fault = { status: 503, type: "server_error", code: "overloaded" };
    await expectFault(await files.ask(ada.key, `/${large}/content`), fault);
    await expectFault(await postJson(server, ada.key, "/chat/completions", chat(large)), fault);
    const refused = await files.upload(ada.key, randomBytes(100_000), { purpose: "user_data" });
    const { message } = await expectFault(refused, fault);
    expect(message).toContain("the storage of files does not answer");
    expect(server.upstream.requests.length).toBe(sent);
    expect((await readMoney(server, ada.id)).balanceNanos).toBe(balanceNanos);

    // An archive without the file would look whole.
    const part = archiveAccount(ada.id, "account", server.services);
    const archive = writeArchive((read) => read(server.owner.db), [part]);
    await expect(Array.fromAsync(archive)).rejects.toMatchObject({ code: "overloaded" });

    const small = await keep(Buffer.from("in its row"));
    const text = await (await files.ask(ada.key, `/${small}/content`)).text();
    expect(text).toBe("in its row");
    const removed = await files.ask(ada.key, `/${large}`, { method: "DELETE" });
    expect(removed.status).toBe(200);
    expect((await files.ask(ada.key, `/${large}`)).status).toBe(404);
    await expect(purge()).rejects.toMatchObject({ code: "overloaded" });
    const { used } = await roomOf(ada);
    expect(used).toBe("in its row".length);

    s3.setAway(false);
    expect(await stored()).toHaveLength(1);
    await server.owner.sql`update objects set expires_at = now() where state = 'deleted'`;
    await purge();
    expect(await stored()).toEqual([]);
    expect(await files.countRows(ada)).toBe(1);
  });

  /** As new files are counted. */
  const roomOf = async ({ id }: TestAccount) => {
    const [row] = await server.owner.sql<{ used: number }[]>`
      select coalesce(sum(size), 0)::int as used from objects
       where account_id = ${id} and state <> 'deleted'`;
    return { used: row?.used };
  };
});
