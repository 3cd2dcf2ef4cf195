// Files that verbs of the desk make, on the command line: written to a folder, for the user of the command alone. A file
// that exists is never replaced.
import { createWriteStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { statementNameOf, writeStatement } from "@turnpike/api";
import { writeArchive } from "@turnpike/archive";
import { Fault } from "@turnpike/base";
import type { Delivery } from "@turnpike/operator";
import { openLog } from "@turnpike/telemetry";
import { archiveAccount, archiveNameOf } from "../archive-account.ts";
import { companyOf } from "../company-of.ts";
import { sealerOf } from "../sealer-of.ts";
import type { AdminContext } from "./command.ts";

const onlyNew = { flags: "wx", mode: 0o600 } as const;

export function deliverFiles({ config, db }: AdminContext, folder: string): Delivery {
  return {
    async statement(of) {
      const file = join(folder, statementNameOf(of));
      const { flags: flag, mode } = onlyNew;
      const pdf = await writeStatement(companyOf(config), of);
      await refuseExisting(writeFile(file, pdf, { flag, mode }));
      return { file };
    },
    async archive({ id, slug }) {
      const file = join(folder, archiveNameOf(slug));
      const log = openLog({ level: "silent", name: "turnpike admin" });
      const part = archiveAccount(id, `account ${slug}`, { sealer: sealerOf(config), log });
      const chunks = Readable.from(writeArchive((read) => read(db()), [part]));
      await refuseExisting(pipeline(chunks, createWriteStream(file, onlyNew)));
      return { file };
    },
  };
}

async function refuseExisting(written: Promise<unknown>): Promise<void> {
  try {
    await written;
  } catch (error) {
    if (!isExisting(error)) throw error;
    throw new Fault("conflict", `${error.path} exists: move it, or give another --folder.`);
  }
}

function isExisting(error: unknown): error is Error & { readonly path: string } {
  return error instanceof Error && "code" in error && error.code === "EEXIST";
}
