// Where a command finds the files that accounts keep: as the server does, or where a development instance keeps them.
import { join } from "node:path";
import type { Sealer } from "@turnpike/base";
import type { Objects } from "@turnpike/objects";
import { createLog } from "@turnpike/telemetry";
import { openBlobs } from "../open-blobs.ts";
import { folderStorage } from "../read-object-storage.ts";
import type { AdminContext } from "./command.ts";

/** Undefined if the command does not know where they are, or has nothing that opens them. */
export function findObjects(
  { config, isDevelopment }: AdminContext,
  sealer: Sealer | undefined,
): Pick<Objects, "sealer" | "blobs"> | undefined {
  const { objectStorage, DATA_DIR } = config;
  const storage =
    objectStorage ?? (isDevelopment ? folderStorage(join(DATA_DIR, "objects")) : undefined);
  if (sealer === undefined || storage === undefined) return undefined;
  // What fails ends the command.
  return {
    sealer,
    blobs: openBlobs(storage, createLog({ level: "silent", name: "turnpike admin" })),
  };
}
