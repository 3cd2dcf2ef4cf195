// What is sent to a token endpoint, and how its answers are read.
import { afterAll, expect, test } from "bun:test";
import { createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { type JsonObject, parseObject } from "@turnpike/base";
import { faultOf } from "../transport/sample-upstream.fixture.ts";
import type { EntraClient, ServiceAccount } from "./credential.ts";
import { requestToken } from "./request-token.ts";

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
let answer: (request: Request) => Response | Promise<Response>;
const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => answer(request) });
afterAll(() => server.stop(true));

const account: ServiceAccount = {
  scheme: "google-service-account",
  tokenUrl: `http://127.0.0.1:${server.port}/token`,
  clientEmail: "gateway@my-project.iam.gserviceaccount.com",
  privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  privateKeyId: "key-1",
};
const client: EntraClient = {
  scheme: "entra-client",
  tokenUrl: `http://127.0.0.1:${server.port}/tenant/oauth2/v2.0/token`,
  clientId: "app-1",
  clientSecret: "secret of the app 0123456789",
  scope: "https://cognitiveservices.azure.com/.default",
};

/** Answers `response` and returns the form that was posted. */
async function exchange(credential: ServiceAccount | EntraClient, response: Response) {
  let sent = new URLSearchParams();
  answer = async (request) => {
    expect(request.headers.get("content-type")).toBe("application/x-www-form-urlencoded");
    sent = new URLSearchParams(await request.text());
    return response;
  };
  const token = await requestToken(credential);
  return { sent, token };
}

function parsePart(part: string | undefined): JsonObject {
  return parseObject(Buffer.from(part ?? "", "base64url").toString()) ?? {};
}

test("a service account signs an assertion that only its own key could have signed", async () => {
  const issuedAfter = Math.floor(Date.now() / 1000);
  const response = Response.json({ access_token: "ya29.token", expires_in: 3599 });
  const { sent, token } = await exchange(account, response);
  expect(token).toEqual({ text: "ya29.token", lifetimeMs: 3_599_000 });
  expect(sent.get("grant_type")).toBe("urn:ietf:params:oauth:grant-type:jwt-bearer");
  const [header, claims, signature] = sent.get("assertion")?.split(".") ?? [];
  expect(parsePart(header)).toEqual({ alg: "RS256", typ: "JWT", kid: "key-1" });
  const { iat, exp, ...rest } = parsePart(claims);
  expect([Number(exp) - Number(iat), Number(iat) >= issuedAfter]).toEqual([3600, true]);
  expect(rest).toEqual({
    iss: account.clientEmail,
    scope: "https://www.googleapis.com/auth/cloud-platform",
    aud: account.tokenUrl,
  });
  const bytes = Buffer.from(signature ?? "", "base64url");
  const key = createPublicKey(publicKey.export({ type: "spki", format: "pem" }));
  expect(verify("sha256", Buffer.from(`${header}.${claims}`), key, bytes)).toBe(true);
});

test("an application of Entra sends its secret in the body, and reads digits as a number", async () => {
  const response = Response.json({ access_token: "eyJ0", expires_in: "60" });
  const { sent, token } = await exchange(client, response);
  expect(token).toEqual({ text: "eyJ0", lifetimeMs: 60_000 });
  expect(Object.fromEntries(sent)).toEqual({
    grant_type: "client_credentials",
    client_id: "app-1",
    client_secret: client.clientSecret,
    scope: client.scope,
  });
});

const refusals: readonly [string, () => Response, number][] = [
  ["invalid_grant", () => Response.json({ error: "invalid_grant" }, { status: 400 }), 401],
  ["a 403", () => new Response("no", { status: 403 }), 401],
  ["a 503", () => new Response("busy", { status: 503 }), 503],
  ["a 200 without a token", () => Response.json({ token_type: "Bearer" }), 200],
  ["a token that is no header", () => Response.json({ access_token: "a\nb" }), 200],
  ["no JSON", () => new Response("<html>"), 200],
];

test.each(refusals)("%s is a bad_gateway with its status", async (_, response, status) => {
  answer = response;
  const fault = await faultOf(requestToken(account));
  expect([fault.code, fault.details.upstreamStatus]).toEqual(["bad_gateway", status]);
});

test.each([
  [account, account.privateKey.split("\n").filter((line) => !/^-|^$/.test(line))],
  [client, [client.clientSecret, "secret+of+the+app+0123456789"]],
])("no secret is in an error, nor the assertion", async (credential, secrets) => {
  answer = async (request) => {
    const error_description = `${await request.text()} ${secrets.join("\n")}`;
    return Response.json({ error: "invalid_client", error_description }, { status: 401 });
  };
  const { message, details } = await faultOf(requestToken(credential));
  const shown = `${message} ${details.cause}`;
  expect(shown).toContain("the token endpoint answered 401: invalid_client");
  for (const secret of secrets) expect(shown).not.toContain(secret);
  expect(shown).not.toMatch(/eyJ[\w-]{20}/);
});

test("redirects are not followed, and an unreachable endpoint is reported as such", async () => {
  answer = (request) =>
    request.url.endsWith("/token")
      ? Response.redirect("/elsewhere", 307)
      : Response.json({ access_token: "from elsewhere" });
  const moved = await faultOf(requestToken(account));
  expect([moved.code, moved.details.upstreamStatus]).toEqual(["bad_gateway", undefined]);
  const closed = await faultOf(requestToken({ ...account, tokenUrl: "http://127.0.0.1:9/token" }));
  expect(closed.message).toBe("The upstream provider could not be reached.");
});

test("a kept-alive connection that the endpoint closed fails no call: the request is sent on a new one", async () => {
  let connections = 0;
  let requests = 0;
  const closing = Bun.listen<{ answered: number }>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(socket) {
        connections += 1;
        socket.data = { answered: 0 };
      },
      data(socket, data) {
        if (!data.includes("grant_type")) return;
        requests += 1;
        // The second request on a connection finds it closed, as after a long pause.
        if (socket.data.answered > 0) return void socket.terminate();
        socket.data.answered += 1;
        const body = `{"access_token":"t-${requests}"}`;
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
      },
    },
  });
  const tokenUrl = `http://127.0.0.1:${closing.port}/token`;
  expect((await requestToken({ ...client, tokenUrl })).text).toBe("t-1");
  expect((await requestToken({ ...client, tokenUrl })).text).toBe("t-3");
  expect(connections).toBe(2);
  closing.stop(true);
});

test("an endpoint that closes every connection is called only twice", async () => {
  let requests = 0;
  const closing = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      data(socket, data) {
        if (data.includes("grant_type")) requests += 1;
        socket.terminate();
      },
    },
  });
  const tokenUrl = `http://127.0.0.1:${closing.port}/token`;
  const fault = await faultOf(requestToken({ ...client, tokenUrl }));
  expect([fault.message, requests]).toEqual(["The upstream provider could not be reached.", 2]);
  closing.stop(true);
});
