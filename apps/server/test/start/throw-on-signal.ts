// The server with a bug: each SIGUSR2 makes it throw an uncaught exception, SIGURG leaves a rejection unhandled,
// and SIGWINCH blocks the event loop until the file that it names is removed.
import { existsSync, mkdtempSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const fail = () => {
  throw new Error("an unforeseen bug");
};
process.on("SIGUSR2", () => {
  setTimeout(fail);
  setTimeout(fail, 20);
});
process.on("SIGURG", () => {
  void Promise.reject(new Error("an unforeseen bug"));
});
process.on("SIGWINCH", () => {
  const file = join(mkdtempSync(join(tmpdir(), "turnpike-blocked-")), "blocked");
  writeFileSync(file, "");
  writeSync(1, `${JSON.stringify({ msg: "blocked", file })}\n`);
  while (existsSync(file)) Bun.sleepSync(20);
});

await import("../../src/main.ts");
