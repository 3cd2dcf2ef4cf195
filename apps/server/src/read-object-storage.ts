// Reads where files are kept beyond their rows: in a folder or in a bucket, and never a bit of both.
import type { BucketSettings } from "@turnpike/objects";
import { responseHoursMax } from "@turnpike/terms";
import { z } from "zod";

const storageShape = {
  OBJECTS_FOLDER: z.string().optional(),
  OBJECTS_S3_BUCKET: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
      "must be the name of a bucket, such as turnpike-files",
    )
    .optional(),
  OBJECTS_S3_ENDPOINT: z
    .url({
      protocol: /^https?$/,
      error: "must be a URL such as https://s3.eu-central-1.amazonaws.com",
    })
    .optional(),
  OBJECTS_S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]{2,40}$/, "must be a region, such as eu-central-1")
    .optional(),
  OBJECTS_S3_ACCESS_KEY_ID: z.string().optional(),
  OBJECTS_S3_SECRET_ACCESS_KEY: z.string().optional(),
};

export const objectsShape = {
  ...storageShape,
  FILES_MIB_PER_ACCOUNT: z.coerce.number().int().positive().default(512),
  FILES_PER_ACCOUNT: z.coerce.number().int().positive().default(1_000),
  RESPONSES_KEPT_HOURS: z.coerce.number().int().min(1).max(responseHoursMax).default(24),
  RESPONSES_MIB_PER_ACCOUNT: z.coerce.number().int().positive().default(512),
  RESPONSES_PER_ACCOUNT: z.coerce.number().int().positive().default(10_000),
};

/** `setting`: the one that names it. */
export type ObjectStorage =
  | { readonly kind: "folder"; readonly setting: "OBJECTS_FOLDER"; readonly folder: string }
  | {
      readonly kind: "bucket";
      readonly setting: "OBJECTS_S3_BUCKET";
      readonly settings: BucketSettings;
    };

type StorageVariables = {
  readonly [Name in keyof typeof storageShape]?: string | undefined;
};

const ofBucket = [
  "OBJECTS_S3_ENDPOINT",
  "OBJECTS_S3_REGION",
  "OBJECTS_S3_ACCESS_KEY_ID",
  "OBJECTS_S3_SECRET_ACCESS_KEY",
] as const;

export const storageSettings = ["OBJECTS_FOLDER", "OBJECTS_S3_BUCKET", ...ofBucket] as const;

/** What services other than Amazon's call a region that they do not have. */
const anyRegion = "us-east-1";

export function folderStorage(folder: string): ObjectStorage {
  return { kind: "folder", setting: "OBJECTS_FOLDER", folder };
}

/** Adds to `mistakes` what is missing or contradicts itself. */
export function readObjectStorage(
  variables: StorageVariables,
  mistakes: string[],
): ObjectStorage | undefined {
  const { OBJECTS_FOLDER: folder, OBJECTS_S3_BUCKET: bucket } = variables;
  if (bucket === undefined) {
    for (const name of ofBucket) {
      if (variables[name] === undefined) continue;
      mistakes.push(`${name}: has no effect without OBJECTS_S3_BUCKET; set that, or unset it.`);
    }
    return folder === undefined ? undefined : folderStorage(folder);
  }
  if (folder !== undefined) {
    mistakes.push(
      "OBJECTS_S3_BUCKET: files are kept in a folder or in a bucket; unset it, or OBJECTS_FOLDER.",
    );
  }
  return readBucket(bucket, variables, mistakes);
}

function readBucket(
  bucket: string,
  variables: StorageVariables,
  mistakes: string[],
): ObjectStorage | undefined {
  const {
    OBJECTS_S3_ENDPOINT: given,
    OBJECTS_S3_REGION: region,
    OBJECTS_S3_ACCESS_KEY_ID: accessKeyId,
    OBJECTS_S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = variables;
  for (const name of ["OBJECTS_S3_ACCESS_KEY_ID", "OBJECTS_S3_SECRET_ACCESS_KEY"] as const) {
    if (variables[name] === undefined)
      mistakes.push(`${name}: is required with OBJECTS_S3_BUCKET.`);
  }
  if (given === undefined && region === undefined) {
    mistakes.push(
      "OBJECTS_S3_REGION: is required with OBJECTS_S3_BUCKET at Amazon; elsewhere set OBJECTS_S3_ENDPOINT.",
    );
  }
  if (given !== undefined && !isPlainEndpoint(given)) {
    mistakes.push(
      "OBJECTS_S3_ENDPOINT: must be the address of the service alone, without user, query and bucket.",
    );
  }
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  const endpoint = given ?? `https://s3.${region}.amazonaws.com`;
  const settings = { bucket, endpoint, region: region ?? anyRegion, accessKeyId, secretAccessKey };
  return { kind: "bucket", setting: "OBJECTS_S3_BUCKET", settings };
}

function isPlainEndpoint(text: string): boolean {
  const { username, password, search, hash } = new URL(text);
  return [username, password, search, hash].every((part) => part === "");
}
