// `Idempotency-Key`: one upstream call and one charge however often a call is sent, on one instance or on
// two, at the same time or later, and the same answer each time.
import { afterAll, afterEach, describe, expect, test } from "bun:test";
import type { Script } from "@turnpike/testing";
import {
  at,
  chatBody,
  expectCleanBooks,
  expectFault,
  openAccount,
  readMoney,
  startTestServer,
  testModels,
} from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";

const server = await startTestServer();
const twin = await startTestServer({ site: server });
const account = await openAccount(server);
const other = await openAccount(server);
afterEach(() => expectCleanBooks(server));
afterAll(async () => {
  await twin.close();
  await server.close();
});

let keys = 0;
const newKey = () => {
  keys += 1;
  return `key ${keys}`;
};

type Sent = {
  readonly on?: { readonly baseUrl: string };
  readonly path?: string;
  readonly secret?: string;
  readonly signal?: AbortSignal;
};

function send(key: string, body: object, sent: Sent = {}): Promise<Response> {
  const { on = server, path = "/chat/completions", secret = account.key, signal } = sent;
  return fetch(`${on.baseUrl}${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${secret}`,
      "content-type": "application/json",
      "idempotency-key": key,
    },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
}

const asked = () => server.upstream.requests.length;
const balance = async () => (await readMoney(server, account.id)).balanceNanos;

/** The number of upstream calls that `run` caused, and whether it cost anything. */
async function observe(run: () => Promise<void>) {
  const before = { asked: asked(), balanceNanos: await balance() };
  await run();
  return { calls: asked() - before.asked, costNanos: before.balanceNanos - (await balance()) };
}

const script: Script = { deltas: 5, paceMs: 5 };
const streamed = { stream: true, stream_options: { include_usage: true } };

describe.each([
  ["a whole answer", {}],
  ["a stream", streamed],
])("%s", (_, fields) => {
  test("is repeated byte for byte on either instance, with one upstream call and one charge", async () => {
    const key = newKey();
    const body = chatBody(script, fields);
    let first = "";
    const run = await observe(async () => {
      const answer = await send(key, body);
      expect(answer.headers.get("idempotent-replayed")).toBeNull();
      first = await answer.text();
      const repeated = await send(key, body);
      expect(repeated.status).toBe(200);
      expect(repeated.headers.get("idempotent-replayed")).toBe("true");
      expect(repeated.headers.get("content-type")).toBe(answer.headers.get("content-type"));
      expect(repeated.headers.get("x-generation-id")).toBe(answer.headers.get("x-generation-id"));
      expect(repeated.headers.get("x-request-id")).not.toBe(answer.headers.get("x-request-id"));
      expect(await repeated.text()).toBe(first);
      expect(await (await send(key, body, { on: twin })).text()).toBe(first);
    });
    expect(run.calls).toBe(1);
    // A further call under another key costs the same again.
    const again = await observe(async () => void (await (await send(newKey(), body)).text()));
    expect(again).toEqual(run);
  });

  test("is shared while it still runs, by callers of both instances", async () => {
    const key = newKey();
    const body = chatBody({ deltas: 20, paceMs: 20 }, fields);
    const run = await observe(async () => {
      const places = [server, twin, server, twin, server];
      const answers = await Promise.all(places.map((on) => send(key, body, { on })));
      const texts = await Promise.all(answers.map((answer) => answer.text()));
      expect(new Set(texts).size).toBe(1);
      const repeated = answers.filter(({ headers }) => headers.has("idempotent-replayed"));
      expect(repeated).toHaveLength(4);
    });
    expect(run.calls).toBe(1);
  });

  test("continues without its client, whose repetition gets all of it", async () => {
    const key = newKey();
    const body = chatBody({ deltas: 20, paceMs: 20 }, fields);
    const run = await observe(async () => {
      const client = new AbortController();
      const before = asked();
      const left = send(key, body, { signal: client.signal }).then((answer) => answer.text());
      await eventually("the upstream call", async () => asked() > before);
      client.abort();
      await expect(left).rejects.toThrow();
      const repeated = await send(key, body);
      expect(repeated.headers.get("idempotent-replayed")).toBe("true");
      const text = await repeated.text();
      expect(text).toContain('"completion_tokens":20');
    });
    expect(run.calls).toBe(1);
  });
});

test("another request under the same key is refused, and runs nothing", async () => {
  const key = newKey();
  await (await send(key, chatBody(script))).text();
  const run = await observe(async () => {
    const answer = await send(key, chatBody({ deltas: 6 }));
    expect(answer.headers.get("x-should-retry")).toBe("false");
    const fault = { status: 409, code: "conflict", param: "Idempotency-Key" };
    await expectFault(answer, fault);
    const embedding = { model: testModels.embeddings, input: "a" };
    await expectFault(await send(key, embedding, { path: "/embeddings" }), fault);
  });
  expect(run).toEqual({ calls: 0, costNanos: 0n });
});

test("another request is refused immediately, not after the first has ended", async () => {
  const key = newKey();
  const before = asked();
  const running = send(key, chatBody({ endless: true, paceMs: 20 }, streamed)).then((answer) =>
    answer.text(),
  );
  await eventually("the upstream call", async () => asked() > before);
  const fault = { status: 409, code: "conflict", param: "Idempotency-Key" };
  for (const on of [server, twin])
    await expectFault(await send(key, chatBody(script), { on }), fault);
  server.services.endAnswers("test");
  expect(await running).toContain("shutting_down");
});

test("the same key of another API key names another call", async () => {
  const key = newKey();
  const run = await observe(async () => {
    const own = await send(key, chatBody(script));
    const foreign = await send(key, chatBody({ deltas: 7 }), { secret: other.key });
    expect([own.status, foreign.status]).toEqual([200, 200]);
    expect(foreign.headers.get("idempotent-replayed")).toBeNull();
  });
  expect(run.calls).toBe(2);
});

test("a refusal is not kept: the call runs when it is sent again", async () => {
  const key = newKey();
  const body = chatBody({ ...script, status: 503 });
  await send(key, body);
  const run = await observe(async () => void (await (await send(key, body)).text()));
  expect(run.calls).toBeGreaterThan(0);
});

const inFlight = async ({ services }: typeof server) =>
  Number(/^turnpike_in_flight (\d+)/m.exec((await services.metrics.expose()).body)?.[1]);

test("embeddings, responses, messages and completions are repeated as well", async () => {
  const text = `hi #script ${JSON.stringify(script)}`;
  const model = testModels.cheap;
  const bodies = {
    "/embeddings": { model: testModels.embeddings, input: "a" },
    "/responses": { model, input: text },
    "/messages": { model, max_tokens: 50, messages: [{ role: "user", content: text }] },
    "/completions": { model, prompt: text },
  };
  for (const [path, body] of Object.entries(bodies)) {
    const key = newKey();
    const run = await observe(async () => {
      const first = await (await send(key, body, { path })).text();
      expect(await (await send(key, body, { path, on: twin })).text()).toBe(first);
    });
    expect(run.calls).toBe(1);
  }
});

test("a key of 255 characters is accepted, a longer or empty one is refused by name", async () => {
  expect((await send("k".repeat(255), chatBody(script))).status).toBe(200);
  for (const key of ["", "k".repeat(256)]) {
    const fault = { status: 400, code: "invalid_value", param: "Idempotency-Key" };
    await expectFault(await send(key, chatBody(script)), fault);
  }
});

test("stored answers can be read neither as text nor under another id", async () => {
  const key = newKey();
  const body = await (await send(key, chatBody({ text: "a very private answer" }))).json();
  expect(at(body, "choices.0.message.content")).toBe("a very private answer");
  const rows = await server.owner
    .sql`select sealed, id from stored_answers order by created_at desc`;
  expect(Buffer.from(rows[0]?.sealed).includes("private")).toBe(false);
  await server.owner
    .sql`update stored_answers set sealed = ${rows[1]?.sealed} where id = ${rows[0]?.id}`;
  const run = await observe(async () => {
    expect((await send(key, chatBody({ text: "a very private answer" }))).status).toBe(500);
  });
  expect(run.calls).toBe(0);
});

test("many concurrent calls, each with its own key, do not count as waiting for each other", async () => {
  /** A busy machine may shed some of so many, and does so before anything waits. */
  const sendUntilTaken = async (key: string): Promise<number> => {
    const answer = await send(key, chatBody({ deltas: 1 }));
    await answer.text();
    return answer.status === 503 ? sendUntilTaken(key) : answer.status;
  };
  const statuses = await Promise.all(Array.from({ length: 80 }, () => sendUntilTaken(newKey())));
  expect(new Set(statuses)).toEqual(new Set([200]));
});

test("a caller that waits for another call stops waiting when it disconnects", async () => {
  const key = newKey();
  const body = chatBody({ endless: true, paceMs: 20 }, streamed);
  const before = asked();
  const running = send(key, body).then((answer) => answer.text());
  await eventually("the upstream call", async () => asked() > before);
  for (const on of [server, twin]) {
    const others = await inFlight(on);
    const client = new AbortController();
    const waiting = send(key, body, { on, signal: client.signal });
    await eventually("it to wait", async () => (await inFlight(on)) === others + 1);
    client.abort();
    await expect(waiting).rejects.toThrow();
    await eventually("it to be gone", async () => (await inFlight(on)) === others);
  }
  server.services.endAnswers("test");
  expect(await running).toContain("shutting_down");
});

test("fifty waiting repetitions and as many new calls leave the console a connection, even if the database hangs", async () => {
  const held = chatBody({ deltas: 1, gate: true, tag: "held" });
  const keysHeld = Array.from({ length: 50 }, newKey);
  const before = asked();
  const firsts = keysHeld.map((key) => send(key, held, { on: twin }));
  await eventually("the calls of the twin", async () => asked() === before + 50);
  const repeated = keysHeld.map((key) => send(key, held));
  const countBlocked = async () => {
    const [row] = await server.owner.sql<{ blocked: number }[]>`
      select count(*)::int as blocked from pg_stat_activity
       where datname = current_database() and application_name = 'turnpike console'
         and wait_event_type = 'Lock'`;
    return row?.blocked ?? 0;
  };
  let others: Promise<Response>[] = [];
  const locked = server.owner.sql.begin(async (sql) => {
    await sql`lock table stored_answers in access exclusive mode`;
    others = Array.from({ length: 50 }, () => send(newKey(), chatBody({ deltas: 1 })));
    await eventually("a query to be blocked", async () => (await countBlocked()) > 0);
    let most = 0;
    for (let request = 0; request < 20; request += 1) {
      let isAnswered = false;
      const credits = fetch(`${server.baseUrl}/credits`, {
        headers: { authorization: `Bearer ${account.key}` },
      }).finally(() => {
        isAnswered = true;
      });
      while (!isAnswered && most < 3) most = Math.max(most, await countBlocked());
      expect(most).toBeLessThan(3);
      expect((await credits).status).toBe(200);
    }
  });
  await locked.finally(() => server.upstream.open("held"));
  for (const answer of await Promise.all([...firsts, ...repeated, ...others])) {
    // A call that could not be looked up in time is refused, and free.
    expect([200, 503]).toContain(answer.status);
  }
});
