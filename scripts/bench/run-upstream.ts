// The fixed upstream as a process of its own.
import { startFixedUpstream } from "@turnpike/testing";

const upstream = startFixedUpstream({
  deltas: Number(process.env.DELTAS),
  paceMs: Number(process.env.PACE_MS),
});
console.log(JSON.stringify({ msg: "listening", port: Number(new URL(upstream.url).port) }));
