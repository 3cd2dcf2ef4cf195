// Blobs in a bucket keep what is promised of every blob store, against a service that checks signatures and rights.
import { afterAll, test } from "bun:test";
import { prepareS3 } from "@turnpike/testing";
import { testBlobContract } from "./blob-contract.fixture.ts";
import { createBucketRequests } from "./bucket-requests.ts";
import { checkBucket, openS3Blobs } from "./s3-blobs.ts";

const s3 = await prepareS3();
if (s3.kind === "absent") {
  console.log(`skip: moto: ${s3.reason}`);
  test.skip("moto is not there", () => undefined);
} else {
  const server = await s3.start();
  const { settings } = server;
  const divisionBytes = 100_000;
  afterAll(() => server.stop());
  testBlobContract("bucket", () => ({
    blobs: openS3Blobs(settings, { segmentBytes: divisionBytes }),
    divisionBytes,
    countStored: async () => (await createBucketRequests(settings).list("")).length,
  }));
  test("check", () => checkBucket(settings));
}
