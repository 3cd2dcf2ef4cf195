// The limit of the runtime in a flood: the least a Bun process can do to refuse a call. It reads
// neither header nor body, and authenticates no one.
const headers = { "content-type": "application/json", "retry-after": "2" };
const text = JSON.stringify({ error: { code: "overloaded" } });

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  idleTimeout: 255,
  development: false,
  fetch: () => new Response(text, { status: 503, headers }),
});
console.log(JSON.stringify({ msg: "listening", port: server.port }));
