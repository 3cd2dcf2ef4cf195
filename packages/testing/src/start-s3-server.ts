// An S3 service on loopback with one bucket: moto, which checks signatures and what a key may do, behind a front that a test can make
// answer nothing but 503. It ends with the process that started it.
import { preparePackages } from "./prepare-python.ts";

/** Of moto's server only what S3 needs. */
const packages = ["moto[s3]==5.2.4", "flask==3.1.3", "flask-cors==6.0.5"];

const program = `
import os, sys, threading
# From the request after these on, every one has to be signed and allowed.
os.environ["INITIAL_NO_AUTH_ACTION_COUNT"] = sys.argv[1]
from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import WSGIRequestHandler, make_server

WSGIRequestHandler.protocol_version = "HTTP/1.1"
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
server = make_server("127.0.0.1", 0, DomainDispatcherApplication(create_backend_app), threaded=True)
print(server.server_port, flush=True)
server.serve_forever()
`;

/** What `docs/operations.md` says that the key needs, and no more. */
const rights = ["s3:GetObject", "s3:PutObject", "s3:DeleteObject", "s3:ListBucket"];

export type S3Server = {
  readonly settings: {
    readonly endpoint: string;
    readonly region: string;
    readonly bucket: string;
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
  };
  /** Every request is answered with 503 from now on, or no more. */
  readonly setAway: (isAway: boolean) => void;
  readonly stop: () => Promise<void>;
};

export type PreparedS3 =
  | { readonly kind: "ready"; readonly start: () => Promise<S3Server> }
  | { readonly kind: "absent"; readonly reason: string };

export async function prepareS3(): Promise<PreparedS3> {
  const python = await preparePackages("moto-5.2.4", packages);
  return python.kind === "absent" ? python : { kind: "ready", start: () => startS3(python.path) };
}

const region = "us-east-1";
const bucket = "files-of-tests";

async function startS3(python: string): Promise<S3Server> {
  const setUp = [
    { service: "iam", form: { Action: "CreateUser" } },
    {
      service: "iam",
      form: { Action: "PutUserPolicy", PolicyName: "files", PolicyDocument: policy() },
    },
    { service: "iam", form: { Action: "CreateAccessKey" } },
    { service: "s3", form: undefined },
  ];
  const child = Bun.spawn([python, "-c", program, String(setUp.length)], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "ignore",
  });
  const origin = `http://127.0.0.1:${await readPort(child.stdout)}`;
  let answers = "";
  for (const { service, form } of setUp) {
    const answer = await fetch(form === undefined ? `${origin}/${bucket}` : origin, {
      method: form === undefined ? "PUT" : "POST",
      headers: {
        authorization: `AWS4-HMAC-SHA256 Credential=x/20260101/${region}/${service}/aws4_request, SignedHeaders=host, Signature=0`,
      },
      ...(form && {
        body: new URLSearchParams({ ...form, UserName: "turnpike", Version: "2010-05-08" }),
      }),
    });
    answers += await answer.text();
    if (!answer.ok) throw new Error(`moto is not set up: ${answers}`);
  }
  const front = startFront(origin);
  const found = (tag: string) => new RegExp(`<${tag}>([^<]+)<`).exec(answers)?.[1] ?? "";
  return {
    settings: {
      endpoint: front.origin,
      region,
      bucket,
      accessKeyId: found("AccessKeyId"),
      secretAccessKey: found("SecretAccessKey"),
    },
    setAway: front.setAway,
    async stop() {
      await front.stop();
      child.kill();
      await child.exited;
    },
  };
}

function policy(): string {
  const statement = { Effect: "Allow", Action: rights, Resource: "*" };
  return JSON.stringify({ Version: "2012-10-17", Statement: [statement] });
}

async function readPort(output: ReadableStream<Uint8Array>): Promise<number> {
  // Not to be cancelled: moto may be about to write more.
  const { value } = await output.getReader().read();
  if (value === undefined) throw new Error("moto did not start");
  return Number(Buffer.from(value).toString());
}

function startFront(origin: string) {
  let isAway = false;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    maxRequestBodySize: 1_073_741_824,
    async fetch(request) {
      const body = await request.bytes();
      if (isAway) return new Response("<Error><Code>SlowDown</Code></Error>", { status: 503 });
      const { method, headers, url } = request;
      const { pathname, search } = new URL(url);
      return fetch(`${origin}${pathname}${search}`, {
        method,
        headers,
        ...(body.byteLength > 0 && { body }),
      });
    },
  });
  return {
    origin: server.url.origin,
    setAway(away: boolean) {
      isAway = away;
    },
    stop: () => server.stop(true),
  };
}
