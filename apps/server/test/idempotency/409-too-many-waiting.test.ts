// How many repetitions may wait for calls that still run: each holds its body in memory meanwhile.
import { afterAll, expect, test } from "bun:test";
import {
  chatBody,
  expectCleanBooks,
  expectFault,
  openAccount,
  startTestServer,
} from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";

const server = await startTestServer();
const [account, other] = [await openAccount(server), await openAccount(server)];
afterAll(() => server.close());

const waitersMax = 50;

function send(secret: string, key: string, body: object): Promise<Response> {
  return fetch(`${server.baseUrl}/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${secret}`,
      "content-type": "application/json",
      "idempotency-key": key,
    },
    body: JSON.stringify(body),
  });
}

// The second time shows that those that waited the first time freed their places.
test.each(["once", "and again"])(
  "fifty repetitions of an API key wait, the next is refused immediately: %s",
  async (key) => {
    const body = chatBody({ deltas: 1, gate: true, tag: key });
    const { requests } = server.upstream;
    const before = requests.length;
    const firsts = [send(account.key, key, body), send(other.key, key, body)];
    await eventually("both upstream calls", async () => requests.length === before + 2);
    const repeated = Array.from({ length: waitersMax + 1 }, () => send(account.key, key, body));
    // While the upstream holds the first call, only refusals are answered.
    let answered: Response | undefined;
    for (const answer of repeated) {
      void answer.then((given) => {
        answered ??= given;
      });
    }
    const refused = await eventually("a refusal", async () => answered);
    expect(refused.status).toBe(409);
    expect(refused.headers.get("retry-after")).toBe("5");
    const ofAnother = send(other.key, key, body);
    server.upstream.open(key);
    const answers = await Promise.all([...firsts, ...repeated, ofAnother]);
    const served = answers.filter((answer) => answer !== refused);
    expect(new Set(served.map(({ status }) => status))).toEqual(new Set([200]));
    await expectFault(refused, { status: 409, code: "conflict", param: "Idempotency-Key" });
    for (const answer of served) await answer.text();
    expect(requests).toHaveLength(before + 2);
    await expectCleanBooks(server);
  },
);
