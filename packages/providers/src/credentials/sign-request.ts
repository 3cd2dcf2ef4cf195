// Signs a request by AWS Signature Version 4, over its method, address, body and the headers that name them.
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
import { SignatureV4 } from "@smithy/signature-v4";
import type { AwsKey } from "./credential.ts";

/** The runtime's own SHA-256, keyed if the signature needs an HMAC. */
class Sha256 {
  readonly #hasher: Bun.CryptoHasher;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hasher = new Bun.CryptoHasher(
      "sha256",
      secret === undefined ? undefined : bytesOf(secret),
    );
  }

  update(data: Uint8Array): void {
    this.#hasher.update(data);
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(Uint8Array.from(this.#hasher.digest()));
  }
}

function bytesOf(secret: string | ArrayBuffer | ArrayBufferView): Buffer {
  if (typeof secret === "string") return Buffer.from(secret);
  if (secret instanceof ArrayBuffer) return Buffer.from(secret);
  return Buffer.from(secret.buffer, secret.byteOffset, secret.byteLength);
}

export type UnsignedRequest = {
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
};

/**
 * The headers that sign a POST, to be added to its own. `signedAt` is the current time, except in
 * tests.
 */
export async function signRequest(
  key: AwsKey,
  { url, headers, body }: UnsignedRequest,
  { service = "bedrock", signedAt = new Date() } = {},
): Promise<Readonly<Record<string, string>>> {
  const { accessKeyId, secretAccessKey, sessionToken, region } = key;
  const signer = new SignatureV4({
    service,
    region,
    credentials: {
      accessKeyId,
      secretAccessKey,
      ...(sessionToken !== undefined && { sessionToken }),
    },
    sha256: Sha256,
    applyChecksum: false,
  });
  const { protocol, hostname, host, pathname } = new URL(url);
  const signed = await signer.sign(
    {
      method: "POST",
      protocol,
      hostname,
      path: pathname,
      headers: { host, "content-type": headers.get("content-type") ?? "" },
      body,
    },
    { signingDate: signedAt },
  );
  const { host: _, "content-type": __, ...added } = signed.headers;
  return added;
}
