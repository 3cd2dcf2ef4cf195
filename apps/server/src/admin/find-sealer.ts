// What opens and seals secrets in a command, as the server does it: by SEALING_KEY, beside a development instance by the key
// that the instance keeps.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createSealer, type Sealer } from "@turnpike/base";
import { sealerOf } from "../sealer-of.ts";
import type { AdminContext } from "./command.ts";

export function findSealer({ config, isDevelopment }: AdminContext): Sealer | undefined {
  return sealerOf(config) ?? (isDevelopment ? developmentSealer(config) : undefined);
}

/** `bun dev` keeps its own key there. */
function developmentSealer({ DATA_DIR }: AdminContext["config"]): Sealer | undefined {
  const file = join(DATA_DIR, "sealing-key");
  return existsSync(file) ? createSealer([readFileSync(file, "utf8")]) : undefined;
}
