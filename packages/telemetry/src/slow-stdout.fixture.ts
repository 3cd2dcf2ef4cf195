// A program that logs a second line while the first is still being written, a third when a flush of
// nothing would be under way, and then nothing more.
import fs from "node:fs";

const write = fs.write.bind(fs);
Object.assign(fs, {
  write: (...parameters: Parameters<typeof write>) => setTimeout(() => write(...parameters), 300),
});
const { createLog: openLog } = await import("./log.ts");
const log = openLog({ level: "info", name: "slow" });
log.info("first");
setTimeout(() => log.info("second"), 120);
setTimeout(() => log.info("third"), 850);
setInterval(() => undefined, 60_000);
