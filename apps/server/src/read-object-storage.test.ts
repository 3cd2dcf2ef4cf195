// Files are kept in one place, and what is missing for it is named, without its values.
import { expect, test } from "bun:test";
import { readConfig, readEnvironment } from "./config.ts";

const environment = { DATABASE_URL: "postgres://app:password@db.example/turnpike" };
const bucket = {
  OBJECTS_S3_BUCKET: "turnpike-files",
  OBJECTS_S3_REGION: "eu-central-1",
  OBJECTS_S3_ACCESS_KEY_ID: "id-0123456789",
  OBJECTS_S3_SECRET_ACCESS_KEY: "secret-0123456789",
};

const read = (variables: Readonly<Record<string, string>>) =>
  readEnvironment({ ...environment, ...variables }).mistakes;

test("files are kept nowhere, in a folder, or in a bucket of Amazon or of another service", () => {
  const storageOf = (variables: Readonly<Record<string, string>>) =>
    readConfig({ ...environment, ...variables }).objectStorage;
  expect(storageOf({})).toBeUndefined();
  expect(storageOf({ OBJECTS_FOLDER: "/srv/files" })).toMatchObject({ folder: "/srv/files" });
  expect(storageOf(bucket)).toMatchObject({
    settings: {
      endpoint: "https://s3.eu-central-1.amazonaws.com",
      region: "eu-central-1",
      secretAccessKey: "secret-0123456789",
    },
  });
  const elsewhere = {
    ...bucket,
    OBJECTS_S3_REGION: "",
    OBJECTS_S3_ENDPOINT: "https://minio.example:9000",
  };
  expect(storageOf(elsewhere)).toMatchObject({
    settings: { endpoint: "https://minio.example:9000", region: "us-east-1" },
  });
});

test("a folder and a bucket are not both used", () => {
  expect(read({ ...bucket, OBJECTS_FOLDER: "/srv/files" })).toEqual([
    "OBJECTS_S3_BUCKET: files are kept in a folder or in a bucket; unset it, or OBJECTS_FOLDER.",
  ]);
});

test("every part that a bucket lacks is named, and every one without a bucket", () => {
  expect(read({ OBJECTS_S3_BUCKET: "turnpike-files" })).toEqual([
    "OBJECTS_S3_ACCESS_KEY_ID: is required with OBJECTS_S3_BUCKET.",
    "OBJECTS_S3_SECRET_ACCESS_KEY: is required with OBJECTS_S3_BUCKET.",
    "OBJECTS_S3_REGION: is required with OBJECTS_S3_BUCKET at Amazon; elsewhere set OBJECTS_S3_ENDPOINT.",
  ]);
  expect(read({ ...bucket, OBJECTS_S3_BUCKET: "" })).toEqual(
    ["REGION", "ACCESS_KEY_ID", "SECRET_ACCESS_KEY"].map(
      (name) =>
        `OBJECTS_S3_${name}: has no effect without OBJECTS_S3_BUCKET; set that, or unset it.`,
    ),
  );
});

test.each([
  ["OBJECTS_S3_BUCKET", "A/B", "must be the name of a bucket, such as turnpike-files."],
  ["OBJECTS_S3_REGION", "EU West", "must be a region, such as eu-central-1."],
  [
    "OBJECTS_S3_ENDPOINT",
    "s3.example",
    "must be a URL such as https://s3.eu-central-1.amazonaws.com.",
  ],
  [
    "OBJECTS_S3_ENDPOINT",
    "https://user:password@s3.example",
    "must be the address of the service alone, without user, query and bucket.",
  ],
])("%s=%s is refused", (name, value, expectation) => {
  expect(read({ ...bucket, [name]: value })).toContain(`${name}: ${expectation}`);
});
