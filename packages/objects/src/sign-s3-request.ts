// Signs requests to an S3-compatible service by AWS Signature Version 4, body and query included. Not by Bun's own client: that adds a
// session token from the environment, which is there for a provider, and takes neither conditions nor a signal to end it.
// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
import { createHash, createHmac } from "node:crypto";

export type S3Key = {
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
};

export type UnsignedS3Request = {
  readonly method: "GET" | "PUT" | "DELETE";
  /** With a query whose names are in their order. */
  readonly url: URL;
  readonly body?: Uint8Array | undefined;
};

/** The headers to send. `signedAt` is the current time, except in tests. */
export function signS3Request(
  { region, accessKeyId, secretAccessKey }: S3Key,
  { method, url, body = new Uint8Array() }: UnsignedS3Request,
  signedAt: Date = new Date(),
): Readonly<Record<string, string>> {
  const time = signedAt.toISOString().replace(/[-:]|\.\d+/g, "");
  const date = time.slice(0, 8);
  const scope = [date, region, "s3", "aws4_request"];
  const bodyHash = sha256(body);
  const signedHeaders = "host;x-amz-content-sha256;x-amz-date";
  const canonical = [
    method,
    url.pathname,
    url.search.slice(1),
    `host:${url.host}`,
    `x-amz-content-sha256:${bodyHash}`,
    `x-amz-date:${time}`,
    "",
    signedHeaders,
    bodyHash,
  ].join("\n");
  const text = ["AWS4-HMAC-SHA256", time, scope.join("/"), sha256(canonical)].join("\n");
  const key = scope.reduce<string | Uint8Array>(hmac, `AWS4${secretAccessKey}`);
  const signature = Buffer.from(hmac(key, text)).toString("hex");
  const credential = `${accessKeyId}/${scope.join("/")}`;
  return {
    "x-amz-date": time,
    "x-amz-content-sha256": bodyHash,
    authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${signedHeaders}, Signature=${signature}`,
  };
}

function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

function hmac(key: string | Uint8Array, text: string): Uint8Array {
  return createHmac("sha256", key).update(text).digest();
}
