// Calls whose credential has to be exchanged for a token first: the wait for it counts as the upstream's,
// and a request that several calls wait for does not end with one of them.
import { afterAll, expect, test } from "bun:test";
import type { EntraClient } from "../credentials/credential.ts";
import { sampleCall } from "../dialects/openai/sample-call.fixture.ts";
import { streamLimits, type UpstreamLimits } from "../upstream-limits.ts";
import { callUpstream } from "./call-upstream.ts";
import { faultOf } from "./sample-upstream.fixture.ts";

const completion = {
  id: "theirs",
  choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }],
};
/** For each token request: when it arrived, and its answer. */
let asked = Promise.withResolvers<void>();
let token = Promise.withResolvers<Response>();
const authorizations: (string | null)[] = [];
let revoked: string | undefined;
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  idleTimeout: 255,
  fetch(request) {
    if (request.url.endsWith("/token")) {
      asked.resolve();
      return token.promise;
    }
    const authorization = request.headers.get("authorization");
    authorizations.push(authorization);
    if (authorization === revoked) return Response.json({ error: "revoked" }, { status: 401 });
    return Response.json(completion);
  },
});
afterAll(() => server.stop(true));
const url = `http://127.0.0.1:${server.port}`;

/** A provider whose token has not been requested yet. */
function newProvider(tokenUrl = `${url}/token`) {
  asked = Promise.withResolvers<void>();
  token = Promise.withResolvers<Response>();
  const client = { scheme: "entra-client", clientId: "c", clientSecret: "s", scope: "x" } as const;
  const credential: EntraClient = { ...client, tokenUrl };
  return { ...sampleCall().provider, baseUrl: url, credential };
}

type Setting = {
  readonly provider: ReturnType<typeof newProvider>;
  readonly signal?: AbortSignal;
  readonly steps?: string[];
  readonly limits?: Partial<UpstreamLimits>;
  readonly allowPrivate?: boolean;
};

function call({ provider, signal, steps, limits, allowPrivate = true }: Setting) {
  return callUpstream({
    ...sampleCall(),
    provider,
    endSignal: new AbortController().signal,
    client: {
      signal: signal ?? new AbortController().signal,
      continuesWithoutClient: () => false,
    },
    log: {
      sent: () => void steps?.push("sent"),
      sendsAgain: () => void steps?.push("sends again"),
      accepted: () => void steps?.push("accepted"),
      answered: () => undefined,
      failed: () => undefined,
    },
    limits: { ...streamLimits, ...limits },
    allowPrivate,
  });
}

const issued = () => Response.json({ access_token: "t-1", expires_in: 3600 });

test("a client that disconnects ends only its own call, and the others get the token they wait for", async () => {
  const provider = newProvider();
  const client = new AbortController();
  const leaving = faultOf(call({ provider, signal: client.signal }));
  const staying = call({ provider });
  await asked.promise;
  client.abort();
  expect((await leaving).code).toBe("client_closed_request");
  token.resolve(issued());
  expect(await staying).toMatchObject({ kind: "whole" });
  expect(authorizations).toEqual(["Bearer t-1"]);
});

test("the wait for a token is bounded by the deadlines of the call", async () => {
  const fault = await faultOf(call({ provider: newProvider(), limits: { firstByteMs: 50 } }));
  expect(fault.code).toBe("upstream_timeout");
  token.resolve(issued());
});

test("a token endpoint that is not safe is never called, even if the catalog accepted it", async () => {
  const provider = { ...newProvider("http://login.example.com/token"), baseUrl: "https://a.com" };
  const fault = await faultOf(call({ provider, allowPrivate: false }));
  expect([fault.code, String(fault.details.cause)]).toEqual([
    "bad_gateway",
    "Error: provider sandbox: its token URL is plain http, which needs ALLOW_PRIVATE_UPSTREAMS=true",
  ]);
});

/** A provider that has accepted the token `t-1` and now refuses it. */
async function revokeToken() {
  const provider = newProvider();
  revoked = undefined;
  token.resolve(issued());
  await call({ provider });
  authorizations.length = 0;
  revoked = "Bearer t-1";
  asked = Promise.withResolvers<void>();
  token = Promise.withResolvers<Response>();
  return provider;
}

test("a token that was revoked fails no call: the call is sent again with the next token", async () => {
  const provider = await revokeToken();
  token.resolve(Response.json({ access_token: "t-2", expires_in: 3600 }));
  const steps: string[] = [];
  expect(await call({ provider, steps })).toMatchObject({ kind: "whole" });
  expect(authorizations).toEqual(["Bearer t-1", "Bearer t-2"]);
  expect(steps).toEqual(["sent", "sends again", "sent", "accepted"]);
});

test("a call whose client disconnects during the wait for the next token is not sent again", async () => {
  const provider = await revokeToken();
  const client = new AbortController();
  const leaving = faultOf(call({ provider, signal: client.signal }));
  await asked.promise;
  client.abort();
  expect((await leaving).code).toBe("client_closed_request");
  token.resolve(issued());
  expect(authorizations).toEqual(["Bearer t-1"]);
});

test("if the next token is soon refused too, the call is refused without a third one", async () => {
  const provider = await revokeToken();
  token.resolve(Response.json({ access_token: "t-2", expires_in: 3600 }));
  await call({ provider });
  revoked = "Bearer t-2";
  authorizations.length = 0;
  const fault = await faultOf(call({ provider }));
  expect([fault.code, fault.details.upstreamStatus]).toEqual(["bad_gateway", 401]);
  expect(authorizations).toEqual(["Bearer t-2"]);
});

test("a call that is sent again with the next token has the deadline of the first byte, too", async () => {
  const provider = await revokeToken();
  const fault = await faultOf(call({ provider, limits: { firstByteMs: 300 } }));
  expect(fault.message).toContain("did not begin its answer within 0.3 s");
  token.resolve(issued());
});
