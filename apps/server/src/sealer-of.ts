// What seals secrets before they are stored, and opens them again, as the configuration allows.
import { createSealer, type Sealer } from "@turnpike/base";
import type { Config } from "./config.ts";

type SealingSettings = Pick<Config, "SEALING_KEY">;

/** Undefined without SEALING_KEY: what would store a secret is off. */
export function sealerOf(config: SealingSettings): Sealer | undefined {
  const [first, ...others] = sealingKeysOf(config);
  return first === undefined ? undefined : createSealer([first, ...others]);
}

export function sealingKeysOf({ SEALING_KEY }: SealingSettings): readonly string[] {
  return SEALING_KEY?.split(",") ?? [];
}
