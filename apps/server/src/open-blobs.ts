// Opens where blobs are, as the settings say. What a bucket fails with is logged: callers are told only to try again.
import { type BlobStore, openFolderBlobs, openS3Blobs } from "@turnpike/objects";
import type { Log } from "@turnpike/telemetry";
import type { ObjectStorage } from "./read-object-storage.ts";

export function openBlobs(storage: ObjectStorage, log: Log): BlobStore {
  if (storage.kind === "folder") return openFolderBlobs(storage.folder);
  return openS3Blobs(storage.settings, {
    onFailure: (failure) => log.error({ err: failure }, "the bucket of OBJECTS_S3_BUCKET failed"),
  });
}
