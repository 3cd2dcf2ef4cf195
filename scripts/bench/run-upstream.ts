// The fixed upstream as a separate process. SIGUSR1 ends the paced streams that are open.
import { startFixedUpstream } from "@turnpike/testing";

const upstream = startFixedUpstream({
  deltas: Number(process.env.DELTAS),
  paceMs: Number(process.env.PACE_MS),
});
process.on("SIGUSR1", upstream.endStreams);
console.log(JSON.stringify({ msg: "listening", port: Number(new URL(upstream.url).port) }));
