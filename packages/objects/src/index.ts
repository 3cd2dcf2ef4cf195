// Objects: what callers ask to be kept, of their project alone, encrypted, bounded, and deleted in time.
export type { BlobStore } from "./blob-store.ts";
export { BucketFailure, type BucketSettings } from "./bucket-requests.ts";
export { type Chain, keepChain, queryChain } from "./chain-objects.ts";
export { deleteObject, hideObject } from "./delete-object.ts";
export { checkFolder, openFolderBlobs } from "./folder-blobs.ts";
export { hasObjects } from "./has-objects.ts";
export {
  deleteWithParts,
  hidePart,
  keepWithParts,
  type ObjectPart,
  queryParts,
} from "./object-parts.ts";
export {
  belongsTo,
  type MemberView,
  type ObjectOwner,
  type ObjectSort,
  type Objects,
  type ObjectViewer,
  queryOwner,
  type RunStatements,
} from "./objects.ts";
export {
  type ObjectWriter,
  openObjectWriter,
  storeObject,
} from "./open-object-writer.ts";
export { purgeObjects } from "./purge-objects.ts";
export { listObjects, queryObject } from "./query-objects.ts";
export { type ReadableObject, readObject, readObjectsById } from "./read-object.ts";
export { readObjects } from "./read-objects.ts";
export { rewriteObject } from "./rewrite-object.ts";
export { checkBucket, openS3Blobs } from "./s3-blobs.ts";
export { openObjectHead, type StoredObject } from "./stored-object.ts";
