// Where a command finds the files that accounts keep: as the server does, or where a development instance keeps them.
import { join } from "node:path";
import type { Sealer } from "@turnpike/base";
import { type Objects, openFolderBlobs } from "@turnpike/objects";
import type { AdminContext } from "./command.ts";

/** Undefined if the command does not know where they are, or has nothing that opens them. */
export function findObjects(
  { config, isDevelopment }: AdminContext,
  sealer: Sealer | undefined,
): Pick<Objects, "sealer" | "blobs"> | undefined {
  const { OBJECTS_FOLDER, DATA_DIR } = config;
  const folder = OBJECTS_FOLDER ?? (isDevelopment ? join(DATA_DIR, "objects") : undefined);
  if (sealer === undefined || folder === undefined) return undefined;
  return { sealer, blobs: openFolderBlobs(folder) };
}
