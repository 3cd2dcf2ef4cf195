// Objects of new accounts in a database and a folder of a test's own, and what the folder contains.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AccountId,
  type ApiKeyId,
  createSealer,
  defaultProjectOf,
  newId,
} from "@turnpike/base";
import { connectDatabase } from "@turnpike/db";
import { createTestDatabase } from "@turnpike/testing";
import {
  type ObjectOwner,
  type Objects,
  openFolderBlobs,
  openObjectWriter,
  readObject,
  type StoredObject,
} from "./index.ts";

export async function openTestObjects() {
  const database = await createTestDatabase();
  const owner = connectDatabase({ url: database.ownerUrl, max: 2 });
  const app = connectDatabase({ url: database.url, max: 4 });
  const folder = mkdtempSync(join(tmpdir(), "turnpike-objects-"));
  const blobs = openFolderBlobs(folder);
  const sealer = createSealer(["the sealing key of the tests of objects"]);
  const kept: Objects = { sealer, blobs, bytesMax: 1_048_576, countMax: 3 };
  const keyId = newId<ApiKeyId>();
  const run = <Result>(work: (db: typeof app.db) => Promise<Result>) => work(app.db);
  return {
    kept,
    owner,
    app,
    run,
    async newOwner(): Promise<ObjectOwner> {
      const accountId = newId<AccountId>();
      await owner.sql`insert into accounts (id, name) values (${accountId}, ${accountId})`;
      const projectId = defaultProjectOf(accountId);
      await owner.sql`insert into projects (account_id, id, name)
                      values (${accountId}, ${projectId}, 'default') on conflict do nothing`;
      return { accountId, projectId };
    },
    begin: (of: ObjectOwner, declaredBytes = 0) =>
      openObjectWriter(kept, run, { owner: of, keyId, kind: "file", declaredBytes }),
    async store(of: ObjectOwner, bytes: Uint8Array, keptSeconds?: number): Promise<StoredObject> {
      const writer = this.begin(of, bytes.byteLength);
      try {
        // As a network would divide it.
        for (let at = 0; at < bytes.byteLength; at += 10_007) {
          await writer.write(bytes.subarray(at, at + 10_007));
        }
        const facts = { purpose: "user_data", mediaType: "text/plain", filename: "a secret.txt" };
        return await writer.store({ ...facts, keptSeconds });
      } finally {
        await writer.close();
      }
    },
    async read(of: ObjectOwner, id: StoredObject["id"]): Promise<Buffer | undefined> {
      const found = await readObject(app.db, kept, of, "file", id);
      return found && Buffer.concat(await Array.fromAsync(found.chunks));
    },
    /** Every file of the folder. */
    files: () =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => {
          const path = join(parentPath, name);
          return {
            path,
            read: () => readFileSync(path),
            write: (bytes: Uint8Array) => writeFileSync(path, bytes),
          };
        }),
    async close() {
      await Promise.all([owner.close(), app.close()]);
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
