// Preloaded into a measured process: `GET /start` collects all garbage and counts the heap's cells, and
// `GET /stop` answers with what was allocated since, by type. Nothing is collected between the two, unless
// so much is allocated that the runtime does it.
import { heapStats } from "bun:jsc";

const counts = () => new Map(Object.entries(heapStats().objectTypeCounts));
let before = new Map<string, number>();

function allocated(): Record<string, number> {
  const added: Record<string, number> = {};
  for (const [type, count] of counts()) added[type] = count - (before.get(type) ?? 0);
  return added;
}

// Workers and subprocesses of a measured process are not asked.
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  development: false,
  fetch(request) {
    if (request.url.endsWith("/stop")) return Response.json(allocated());
    Bun.gc(true);
    before = counts();
    return new Response();
  },
});
console.log(JSON.stringify({ msg: "counting cells", port: server.port }));
