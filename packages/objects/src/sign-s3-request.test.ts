// Signatures as in the examples that AWS publishes for S3.
import { expect, test } from "bun:test";
import { signS3Request } from "./sign-s3-request.ts";

const key = {
  region: "us-east-1",
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
};
const signedAt = new Date("2013-05-24T00:00:00Z");
const bucket = "https://examplebucket.s3.amazonaws.com/";

test.each([
  ["?lifecycle=", "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"],
  ["?max-keys=2&prefix=J", "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"],
])("a GET of a bucket with %s has the signature that AWS documents", (query, signature) => {
  const url = new URL(bucket + query);
  const { authorization, ...others } = signS3Request(key, { method: "GET", url }, signedAt);
  expect(authorization).toBe(
    `AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=${signature}`,
  );
  expect(others).toEqual({
    "x-amz-date": "20130524T000000Z",
    "x-amz-content-sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  });
});

test("the signature covers the contents: others need another one", () => {
  const url = new URL(`${bucket}key`);
  const [one, other] = ["contents", "Contents"].map((body) =>
    signS3Request(key, { method: "PUT", url, body: Buffer.from(body) }, signedAt),
  );
  expect(one?.["x-amz-content-sha256"]).toBe(
    "d1b2a59fbea7e20077af9f91b27e95e865061b270be03ff539ab3b73587882e8",
  );
  expect(one?.authorization).not.toBe(other?.authorization);
});
