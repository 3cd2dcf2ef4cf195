// The least a gateway that bills can do in this stack: it looks the key up in memory, parses the request,
// relays, reads the usage and writes one durable row per call, many calls per statement. No gateway of
// this design can cost less above the bare proxy.
import { connectDatabase } from "@turnpike/db";

const target = `${process.env.BENCH_UPSTREAM_URL}/chat/completions`;
const headers = { "content-type": "application/json", "accept-encoding": "identity" };
const { sql } = connectDatabase({ url: process.env.BENCH_DATABASE_URL ?? "", max: 1 });
const accountOf = new Map(
  (process.env.BENCH_KEYS ?? "").split(",").map((key) => [hashOf(key), crypto.randomUUID()]),
);

type Charge = { id: string; account: string; tokens: number; written: () => void };

const statement = `insert into bench_floor (id, account_id, tokens, ended_at)
  select ($1::uuid[])[i], ($2::uuid[])[i], ($3::integer[])[i], now()
    from generate_series(1, $4::integer) i`;
let waiting: Charge[] = [];
let isWriting = false;

function hashOf(key: string): string {
  return Bun.SHA256.hash(key, "hex");
}

/** Resolves when the row is durable. While one batch is committed the next one fills. */
function charge(account: string, tokens: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  waiting.push({ id: Bun.randomUUIDv7(), account, tokens, written: resolve });
  if (!isWriting) void writeAll();
  return promise;
}

async function writeAll(): Promise<void> {
  isWriting = true;
  while (waiting.length > 0) {
    const batch = waiting;
    waiting = [];
    const values = [
      `{${batch.map(({ id }) => id).join(",")}}`,
      `{${batch.map(({ account }) => account).join(",")}}`,
      `{${batch.map(({ tokens }) => tokens).join(",")}}`,
      batch.length,
    ];
    await sql.unsafe(statement, values, { prepare: true });
    for (const { written } of batch) written();
  }
  isWriting = false;
}

async function answer(request: Request): Promise<Response> {
  const key = request.headers.get("authorization")?.slice("Bearer ".length) ?? "";
  const account = accountOf.get(hashOf(key));
  if (account === undefined) return new Response(null, { status: 401 });
  const body = await request.text();
  const { stream } = JSON.parse(body);
  const upstream = await fetch(target, {
    method: "POST",
    headers,
    body,
    signal: request.signal,
    decompress: false,
  });
  if (stream === true && upstream.body !== null) return relay(upstream.body, account);
  const text = await upstream.text();
  await charge(account, JSON.parse(text).usage.total_tokens);
  return new Response(text, { headers: { "content-type": "application/json" } });
}

/** Bytes as they arrive; the row precedes the end. */
function relay(body: ReadableStream<Uint8Array<ArrayBuffer>>, account: string): Response {
  const reader = body.getReader();
  const relayed = new ReadableStream({
    type: "direct",
    async pull(sink) {
      let events = 0;
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        events += 1;
        await sink.write(read.value);
      }
      await charge(account, events);
      sink.close();
    },
    cancel: () => reader.cancel(),
  });
  return new Response(relayed, { headers: { "content-type": "text/event-stream" } });
}

await sql`create table if not exists bench_floor
  (account_id uuid, id uuid, tokens integer, ended_at timestamptz, primary key (account_id, id))`;
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  idleTimeout: 255,
  development: false,
  fetch: answer,
});
console.log(JSON.stringify({ msg: "listening", port: server.port }));
