// Files that verbs of the desk make, on the command line: written to a folder, for the user of the command alone. A file
// that exists is never replaced, and an archive has its name only once it is complete.
import { open, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { statementNameOf, writeStatement } from "@turnpike/api";
import { writeArchive } from "@turnpike/archive";
import { Fault } from "@turnpike/base";
import { hasObjects } from "@turnpike/objects";
import type { Delivery } from "@turnpike/operator";
import { hasSealedTexts } from "@turnpike/prompts";
import { createLog } from "@turnpike/telemetry";
import { archiveAccount, archiveNameOf } from "../archive-account.ts";
import { companyOf } from "../company-of.ts";
import type { AdminContext } from "./command.ts";
import { findObjects } from "./find-objects.ts";
import { findSealer } from "./find-sealer.ts";

const onlyNew = { flags: "wx", mode: 0o600 } as const;

export function deliverFiles(context: AdminContext, folder: string): Delivery {
  const { config, db } = context;
  return {
    async statement(of) {
      const file = join(folder, statementNameOf(of));
      await requireFree(folder, file);
      const { flags: flag, mode } = onlyNew;
      const pdf = await writeStatement(companyOf(config), of);
      await refuseExisting(writeFile(file, pdf, { flag, mode }));
      return { file };
    },
    async archive({ id, slug }) {
      const file = join(folder, archiveNameOf(slug));
      await requireFree(folder, file);
      const sealer = findSealer(context);
      // They would be missing from the archive, and nobody would notice.
      if (sealer === undefined && (await hasSealedTexts(db(), id))) {
        const sentence = "This account has stored prompts: set SEALING_KEY as the server has it.";
        throw new Fault("conflict", sentence);
      }
      const objects = findObjects(context, sealer);
      if (objects === undefined && (await hasObjects(db(), id))) {
        const sentence =
          "This account keeps files: set SEALING_KEY and OBJECTS_FOLDER or OBJECTS_S3_… as the server has them.";
        throw new Fault("conflict", sentence);
      }
      return async () => {
        const log = createLog({ level: "silent", name: "turnpike admin" });
        const part = archiveAccount(id, `account ${slug}`, { sealer, log, objects });
        await writeWhole(
          folder,
          file,
          writeArchive((read) => read(db()), [part]),
        );
        return { file };
      };
    },
  };
}

async function requireFree(folder: string, file: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() !== true) {
    throw new Fault("invalid_value", `There is no folder ${folder}.`, { param: "folder" });
  }
  if ((await stat(file).catch(() => undefined)) !== undefined) throw existing(file);
}

async function writeWhole(
  folder: string,
  file: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<void> {
  const part = `${file}.part`;
  const handle = await refuseExisting(open(part, onlyNew.flags, onlyNew.mode));
  try {
    await pipeline(Readable.from(chunks), handle.createWriteStream());
    await requireFree(folder, file);
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

async function refuseExisting<Result>(written: Promise<Result>): Promise<Result> {
  try {
    return await written;
  } catch (error) {
    throw isExisting(error) ? existing(error.path) : error;
  }
}

function existing(path: string): Fault {
  return new Fault("conflict", `${path} exists: move it, or give another --folder.`);
}

function isExisting(error: unknown): error is Error & { readonly path: string } {
  return error instanceof Error && "code" in error && error.code === "EEXIST";
}
