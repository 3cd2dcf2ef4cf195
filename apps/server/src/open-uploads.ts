// Opens what receives files: those of a call, which end with it, and those that are kept.
import type { ApiServices } from "@turnpike/api";
import type { Sealer } from "@turnpike/base";
import type { Db } from "@turnpike/db";
import { type AudioMeter, openAudioMeter } from "@turnpike/media";
import type { Objects } from "@turnpike/objects";
import type { Log } from "@turnpike/telemetry";
import type { Config } from "./config.ts";
import { createUploadDisk, type UploadDisk } from "./http/requests/upload-disk.ts";
import { openBlobs } from "./open-blobs.ts";
import { createAccountReads } from "./read-reports.ts";

/** Stored responses and conversations. */
export type KeptResponses = {
  /** With the room that they have. */
  readonly objects: Objects;
  readonly keptSeconds: number;
};

export type Uploads = {
  /** Measures audio that callers upload. */
  readonly audioMeter: AudioMeter;
  readonly uploadDisk: UploadDisk;
  /** Undefined without a place for blobs and SEALING_KEY. */
  readonly objects: Objects | undefined;
  /** Likewise. */
  readonly keptResponses: KeptResponses | undefined;
  /** Statements about files that are kept: those of one account run one after the other. */
  readonly readFiles: ApiServices["report"];
};

export function openUploads(
  config: Config,
  { db, sealer, log }: { readonly db: Db; readonly sealer: Sealer | undefined; readonly log: Log },
): Uploads {
  const objects = openObjects(config, sealer, log);
  return {
    audioMeter: openAudioMeter(),
    uploadDisk: createUploadDisk(config),
    objects,
    keptResponses: objects && roomForResponses(config, objects),
    readFiles: createAccountReads(db),
  };
}

function openObjects(
  { objectStorage, FILES_MIB_PER_ACCOUNT, FILES_PER_ACCOUNT }: Config,
  sealer: Sealer | undefined,
  log: Log,
): Uploads["objects"] {
  if (objectStorage === undefined || sealer === undefined) return undefined;
  return {
    sealer,
    blobs: openBlobs(objectStorage, log),
    bytesMax: FILES_MIB_PER_ACCOUNT * 1_048_576,
    countMax: FILES_PER_ACCOUNT,
  };
}

function roomForResponses(
  { RESPONSES_KEPT_HOURS, RESPONSES_MIB_PER_ACCOUNT, RESPONSES_PER_ACCOUNT }: Config,
  objects: Objects,
): KeptResponses {
  const room = {
    bytesMax: RESPONSES_MIB_PER_ACCOUNT * 1_048_576,
    countMax: RESPONSES_PER_ACCOUNT,
  };
  return { objects: { ...objects, ...room }, keptSeconds: RESPONSES_KEPT_HOURS * 3_600 };
}
