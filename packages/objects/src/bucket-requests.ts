// Requests to a bucket of an S3-compatible service. Each attempt ends in time, what may pass is tried again, and a failure says what the
// service said, without an address that is signed.
import { type S3Key, signS3Request, type UnsignedS3Request } from "./sign-s3-request.ts";

export type BucketSettings = S3Key & {
  readonly bucket: string;
  /** Of the service; the bucket is the first part of the path behind it. */
  readonly endpoint: string;
};

export type RequestTimes = {
  /** For one attempt, with its answer. */
  readonly attemptMs: number;
  /** Before each further attempt. */
  readonly pausesMs: readonly number[];
};

const defaultTimes: RequestTimes = { attemptMs: 10_000, pausesMs: [200, 1_000] };

/** A request that did not do what it should. */
export class BucketFailure extends Error {
  override readonly name = "BucketFailure";
  /** The service refuses it, and would again: its settings are wrong, and it is not away. */
  readonly isRefusal: boolean;
  constructor(message: string, { isRefusal = false, cause }: FailureDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.isRefusal = isRefusal;
  }
}

type FailureDetails = { readonly isRefusal?: boolean; readonly cause?: unknown };

/** All reject with BucketFailure. */
export type BucketRequests = {
  /** False if it is to be new, something is under this key, and the service says so: not every service does. */
  readonly put: (
    key: string,
    body: Uint8Array<ArrayBuffer>,
    options?: { readonly isNew?: boolean },
  ) => Promise<boolean>;
  /** Undefined if nothing is there. */
  readonly get: (key: string) => Promise<Uint8Array | undefined>;
  readonly remove: (key: string) => Promise<void>;
  /** All keys that begin with it. */
  readonly list: (prefix: string) => Promise<readonly string[]>;
};

export function createBucketRequests(
  settings: BucketSettings,
  times: Partial<RequestTimes> = {},
): BucketRequests {
  const target: Target = { ...settings, ...defaultTimes, ...times };
  return {
    async put(key, body, { isNew = false } = {}) {
      const request = { method: "PUT", url: addressOf(settings, key), body } as const;
      const { status, code } = await send(target, request, { isNew });
      if (isNew && status === 412) return false;
      if (status === 200) return true;
      throw refusal(request, { status, code });
    },
    async get(key) {
      const request = { method: "GET", url: addressOf(settings, key) } as const;
      const { status, bytes, code } = await send(target, request);
      if (status === 200) return bytes;
      if (status === 404 && code !== "NoSuchBucket") return undefined;
      throw refusal(request, { status, code });
    },
    async remove(key) {
      const request = { method: "DELETE", url: addressOf(settings, key) } as const;
      const { status, code } = await send(target, request);
      const isGone = status === 200 || status === 204;
      if (!isGone && (status !== 404 || code === "NoSuchBucket")) {
        throw refusal(request, { status, code });
      }
    },
    list: (prefix) => listKeys(target, prefix),
  };
}

type Target = BucketSettings & RequestTimes;

async function listKeys(target: Target, prefix: string): Promise<readonly string[]> {
  const keys: string[] = [];
  for (;;) {
    const url = addressOf(target, "");
    const after = keys.at(-1);
    url.search = [
      "list-type=2",
      `prefix=${encodeURIComponent(prefix)}`,
      ...(after === undefined ? [] : [`start-after=${encodeURIComponent(after)}`]),
    ].join("&");
    const request = { method: "GET", url } as const;
    const { status, bytes, code } = await send(target, request);
    if (status !== 200) throw refusal(request, { status, code });
    const page = new TextDecoder().decode(bytes);
    const found = [...page.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key = ""]) => key);
    keys.push(...found);
    if (found.length === 0 || !page.includes("<IsTruncated>true<")) return keys;
  }
}

function addressOf({ endpoint, bucket }: BucketSettings, key: string): URL {
  return new URL(`${endpoint.replace(/\/$/, "")}/${bucket}/${key}`);
}

type Answer = {
  readonly status: number;
  readonly bytes: Uint8Array;
  /** Of an error. */
  readonly code: string | undefined;
};

/** Resolves with what is neither a failure that may pass nor a condition that the service does not know. */
async function send(
  { attemptMs, pausesMs, ...key }: Target,
  request: UnsignedS3Request & { readonly body?: Uint8Array<ArrayBuffer> },
  { isNew = false } = {},
): Promise<Answer> {
  let failure: BucketFailure | undefined;
  // What an attempt without an answer wrote would fail the condition of the next one.
  let isConditional = isNew;
  for (const pauseMs of [0, ...pausesMs]) {
    if (failure !== undefined) await Bun.sleep(pauseMs);
    try {
      let answer = await attempt(key, request, { isConditional, attemptMs });
      if (isConditional && answer.status === 501) {
        answer = await attempt(key, request, { isConditional: false, attemptMs });
      }
      if (!isPassing(answer)) return answer;
      failure = failureOf(request, answer);
    } catch (thrown) {
      failure = new BucketFailure(`${request.method}: ${reasonOf(thrown, attemptMs)}`);
    }
    isConditional = false;
  }
  throw failure ?? new BucketFailure(`${request.method}: not tried`);
}

async function attempt(
  key: S3Key,
  request: UnsignedS3Request & { readonly body?: Uint8Array<ArrayBuffer> },
  { isConditional, attemptMs }: { readonly isConditional: boolean; readonly attemptMs: number },
): Promise<Answer> {
  const { method, url, body } = request;
  const response = await fetch(url, {
    method,
    headers: {
      ...signS3Request(key, request),
      ...(isConditional && { "if-none-match": "*" }),
    },
    redirect: "manual",
    signal: AbortSignal.timeout(attemptMs),
    ...(body !== undefined && { body }),
  });
  const bytes = await response.bytes();
  const { status } = response;
  return { status, bytes, code: status < 300 ? undefined : codeOf(bytes) };
}

function codeOf(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder().decode(bytes.subarray(0, 4_096));
  return /<Code>([A-Za-z]{1,60})<\/Code>/.exec(text)?.[1];
}

/** 409: the condition met another request for the same key. */
function isPassing({ status, code }: Answer): boolean {
  return status >= 500 || [408, 409, 429].includes(status) || code === "RequestTimeout";
}

function failureOf({ method }: UnsignedS3Request, { status, code }: Omit<Answer, "bytes">) {
  return new BucketFailure(`${method}: the service answered ${status}${code ? ` ${code}` : ""}`);
}

function refusal(request: UnsignedS3Request, answer: Omit<Answer, "bytes">): BucketFailure {
  return new BucketFailure(failureOf(request, answer).message, { isRefusal: true });
}

/** Not the error itself: it names the whole address. */
function reasonOf(thrown: unknown, attemptMs: number): string {
  if (!(thrown instanceof Error)) return "it failed";
  if (thrown.name === "TimeoutError") return `no answer within ${attemptMs / 1_000} s`;
  const code = "code" in thrown ? String(thrown.code) : "";
  return code === "" ? thrown.name : code;
}
