// The key that seals secrets in the development database: made once and kept beside it, or the next run could not
// open what this one sealed.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writePrivateFile } from "./write-private-file.ts";

export function keepSealingKey(dataDir: string): string {
  const file = join(dataDir, "sealing-key");
  if (existsSync(file)) return readFileSync(file, "utf8");
  const key = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
  writePrivateFile(file, key);
  return key;
}
