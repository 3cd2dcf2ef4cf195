// A place for files that cannot be used stops a start, with what to do; a service that is only away does not.
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepareS3 } from "@turnpike/testing";
import { checkStorage } from "./check-storage.ts";
import { readConfig } from "./config.ts";

const folder = mkdtempSync(join(tmpdir(), "turnpike-storage-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const environment = {
  DATABASE_URL: "postgres://app:password@db.example/turnpike",
  SEALING_KEY: "the-sealing-key-of-the-tests-of-storage",
};
const check = (variables: Readonly<Record<string, string>>) =>
  checkStorage(readConfig({ ...environment, ...variables }));
const bucket = (endpoint: string) => ({
  OBJECTS_S3_BUCKET: "turnpike-files",
  OBJECTS_S3_ENDPOINT: endpoint,
  OBJECTS_S3_ACCESS_KEY_ID: "id-0123456789",
  OBJECTS_S3_SECRET_ACCESS_KEY: "secret-0123456789",
});

test("a folder that can be written, or made, is fit, and nothing is left in it", async () => {
  const existing = join(folder, "existing");
  mkdirSync(existing);
  expect(await check({ OBJECTS_FOLDER: existing })).toBeUndefined();
  expect(await check({ OBJECTS_FOLDER: join(folder, "not", "made", "yet") })).toBeUndefined();
  expect(readdirSync(folder, { recursive: true })).toEqual(["existing"]);
});

test("a folder that cannot be written or made stops a start, unless nothing is kept", async () => {
  const file = join(folder, "file");
  writeFileSync(file, "");
  const message = expect.stringMatching(
    /^OBJECTS_FOLDER: this process cannot write there \(E.+\); let its user write to the folder\.$/,
  );
  for (const OBJECTS_FOLDER of [file, join(file, "below")]) {
    await expect(check({ OBJECTS_FOLDER })).rejects.toMatchObject({ name: "ConfigError", message });
    expect(await check({ OBJECTS_FOLDER, SEALING_KEY: "" })).toBeUndefined();
  }
});

test("a bucket that refuses stops a start, without its secrets; a service that is away does not", async () => {
  const service = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => new Response("<Error><Code>AccessDenied</Code></Error>", { status: 403 }),
  });
  const refused = await check(bucket(service.url.origin)).catch(String);
  expect(refused).toContain("OBJECTS_S3_BUCKET: the bucket cannot be used");
  expect(refused).toContain("(PUT: the service answered 403 AccessDenied)");
  expect(refused).not.toContain("0123456789");
  await service.stop(true);
  expect(await check(bucket(service.url.origin))).toContain(
    "OBJECTS_S3_BUCKET: the service is away",
  );
});

const s3 = await prepareS3();
if (s3.kind === "absent") console.log(`skip: moto: ${s3.reason}`);

test.skipIf(s3.kind === "absent")(
  "a bucket where the key may do what the docs say is fit, and another is not",
  async () => {
    if (s3.kind === "absent") return;
    const { settings, stop } = await s3.start();
    const right = {
      OBJECTS_S3_BUCKET: settings.bucket,
      OBJECTS_S3_ENDPOINT: settings.endpoint,
      OBJECTS_S3_ACCESS_KEY_ID: settings.accessKeyId,
      OBJECTS_S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
    };
    try {
      expect(await check(right)).toBeUndefined();
      const { contents } = await new Bun.S3Client(settings).list();
      expect(contents ?? []).toEqual([]);
      for (const [name, value, code] of [
        ["OBJECTS_S3_SECRET_ACCESS_KEY", "another", "403 SignatureDoesNotMatch"],
        ["OBJECTS_S3_BUCKET", "another-bucket", "404 NoSuchBucket"],
      ] as const) {
        await expect(check({ ...right, [name]: value })).rejects.toThrow(code);
      }
    } finally {
      await stop();
    }
  },
);
