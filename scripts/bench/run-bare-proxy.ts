// The limit of the runtime: the least a Bun process can do to pass a completion on. It reads no
// header, counts nothing and authenticates no one.
const target = `${process.env.BENCH_UPSTREAM_URL}/chat/completions`;
const headers = { "content-type": "application/json" };

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  idleTimeout: 255,
  development: false,
  fetch: async (request) =>
    fetch(target, {
      method: "POST",
      headers,
      body: await request.arrayBuffer(),
      signal: request.signal,
      decompress: false,
    }),
});
console.log(JSON.stringify({ msg: "listening", port: server.port }));
