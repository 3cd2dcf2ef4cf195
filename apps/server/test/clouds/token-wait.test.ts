// Calls whose provider needs an access token first, and a token endpoint that is slow.
import { beforeEach, expect, test } from "bun:test";
import { chatBody, postChat, readMoney, waitForSettled } from "../harness/index.ts";
import { startCloud } from "./start-cloud.ts";
import { useCloud } from "./use-cloud.ts";

let answerToken: (issued: number) => Response | Promise<Response>;
let tokenAsked = Promise.withResolvers<void>();
let issued = 0;

/** Issues tokens as the test says. */
const cloud = startCloud((request, body, forward) => {
  if (request.url.endsWith("/token")) {
    issued += 1;
    const answer = answerToken(issued);
    tokenAsked.resolve();
    return answer;
  }
  return forward("/v1/chat/completions", body);
});

const issue = (number: number) => Response.json({ access_token: `t-${number}`, expires_in: 3600 });

/** Each test has its own provider, whose token was never requested. */
const names = ["leaving-whole", "leaving-stream"] as const;
type Name = (typeof names)[number];

const providers = names.map(
  (id) =>
    `  - { id: ${id}, kind: azure, baseUrl: "${cloud.url}/azure", entra: { tenantId: ${id}, clientId: c, clientSecret: s, authority: "${cloud.url}" } }`,
);
const models = names.map(
  (id) => `
  - id: test/${id}
    contextTokens: 100000
    maxOutputTokens: 10000
    routes: [{ provider: ${id}, model: mini }]
    prices: { input: "0.10", output: "0.40" }`,
);
const { server, account } = await useCloud(
  cloud,
  `\nproviders:\n${providers.join("\n")}\nmodels:${models.join("")}\n`,
);
beforeEach(() => {
  answerToken = issue;
  tokenAsked = Promise.withResolvers();
});

function ask(name: Name, fields: Record<string, unknown> = {}, signal?: AbortSignal) {
  const body = chatBody({ tag: name, deltas: 1 }, { model: `test/${name}`, ...fields });
  return postChat(server, account.key, body, { ...(signal && { signal }) });
}

const callsOf = (name: string) =>
  server.upstream.requests.filter((request) => request.tag === name).length;

test.each([
  ["leaving-whole", false],
  ["leaving-stream", true],
] as const)(
  "a client that disconnects while waiting for a token is neither sent upstream nor billed: %s",
  async (name, stream) => {
    const before = await readMoney(server, account.id);
    const token = Promise.withResolvers<Response>();
    answerToken = () => token.promise;
    const leaving = new AbortController();
    const answer = ask(name, { stream }, leaving.signal).then(
      ({ status }) => status,
      (error) => error.name,
    );
    await Promise.race([tokenAsked.promise, answer]);
    leaving.abort();
    expect(await answer).toBe("AbortError");
    // The call ends before the token endpoint has answered.
    expect(await waitForSettled(server)).toBe(0);
    const [row] = await server.owner.sql`
      select status, outcome, charged_nanos::int as charged from requests
       where account_id = ${account.id} order by id desc limit 1`;
    expect(row).toEqual({ status: 499, outcome: "client_closed", charged: 0 });
    token.resolve(issue(1));
    // The token is kept for the next call, which uses it.
    await (await ask(name)).text();
    expect(callsOf(name)).toBe(1);
    const after = await readMoney(server, account.id);
    expect<bigint>(after.heldNanos).toBe(0n);
    expect(before.balanceNanos - after.balanceNanos).toBeGreaterThan(0n);
  },
);
