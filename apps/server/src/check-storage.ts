// Whether files can be kept where the settings say: a folder that this process may write, or a bucket where its key may do all it has to.
import { BucketFailure, checkBucket, checkFolder } from "@turnpike/objects";
import { type Config, ConfigError } from "./config.ts";

/** Shorter than for files: a start waits for it. */
const times = { attemptMs: 5_000, pausesMs: [500] };

/** What may pass, if that is all that is wrong. Throws ConfigError for what does not pass by itself. */
export async function checkStorage({
  objectStorage: storage,
  SEALING_KEY,
}: Pick<Config, "objectStorage" | "SEALING_KEY">): Promise<string | undefined> {
  // Without the key nothing is kept.
  if (storage === undefined || SEALING_KEY === undefined) return undefined;
  try {
    if (storage.kind === "folder") await checkFolder(storage.folder);
    else await checkBucket(storage.settings, times);
    return undefined;
  } catch (thrown) {
    if (storage.kind === "folder") {
      const why = thrown instanceof Error ? thrown.message : String(thrown);
      throw new ConfigError([
        `OBJECTS_FOLDER: this process cannot write there (${why}); let its user write to the folder.`,
      ]);
    }
    if (!(thrown instanceof BucketFailure)) throw thrown;
    if (!thrown.isRefusal) {
      return `OBJECTS_S3_BUCKET: the service is away (${thrown.message}); check OBJECTS_S3_ENDPOINT and the network.`;
    }
    throw new ConfigError([
      `OBJECTS_S3_BUCKET: the bucket cannot be used (${thrown.message}); check its name, region and key, and that the key may get, put, delete and list objects.`,
    ]);
  }
}
