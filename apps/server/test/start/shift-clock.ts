// The server on a machine whose clock jumps: SIGUSR2 sets it an hour ahead, and the next one back.
const realNow = Date.now;
let aheadMs = 0;
process.on("SIGUSR2", () => {
  aheadMs = aheadMs === 0 ? 3_600_000 : 0;
});
Date.now = () => realNow() + aheadMs;

await import("../../src/main.ts");
