// Files of one account as a client sends and reads them, and what is left of them in the folder and in the table.
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { operator } from "@turnpike/db";
import { createProject, mintApiKey, noLimits } from "@turnpike/keys";
import type { TestAccount, TestServer } from "../harness/index.ts";

export const filesEnvironment = { SEALING_KEY: "the-sealing-key-of-the-tests-of-files" };

type Fields = Readonly<Record<string, string>>;

export function useFiles(server: TestServer) {
  const ask = (key: string, path: string, init: RequestInit = {}) =>
    fetch(`${server.baseUrl}/files${path}`, {
      ...init,
      headers: { ...init.headers, authorization: `Bearer ${key}` },
    });
  return {
    ask,
    /** The file comes first, as from OpenAI's client for JavaScript. */
    upload(key: string, bytes: string | Uint8Array, fields: Fields, name = "notes.txt") {
      const form = new FormData();
      form.append("file", new Blob([bytes as Uint8Array<ArrayBuffer>]), name);
      for (const [field, value] of Object.entries(fields)) form.append(field, value);
      return ask(key, "", { method: "POST", body: form });
    },
    /** A key of another project of the account. */
    async openOtherProject({ id: accountId, personId }: TestAccount): Promise<string> {
      const { db } = server.owner;
      const projectId = await createProject(db, { accountId, by: operator }, { name: "Other" });
      const owner = { accountId, createdBy: personId, projectId };
      return (await mintApiKey(db, { ...owner, name: "other", limits: noLimits })).key;
    },
    countBlobs: () => blobsOf(server).length,
    /** Of all blobs, encrypted. */
    countBytes: () => blobsOf(server).reduce((sum, path) => sum + statSync(path).size, 0),
    async countRows({ id }: TestAccount): Promise<number> {
      const [row] = await server.owner.sql<{ rows: number }[]>`
        select count(*)::int as rows from objects where account_id = ${id}`;
      return row?.rows ?? 0;
    },
  };
}

function blobsOf({ environment: { OBJECTS_FOLDER = "" } }: TestServer): readonly string[] {
  if (!existsSync(OBJECTS_FOLDER)) return [];
  return readdirSync(OBJECTS_FOLDER, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}
