// The files of an account in its archive, whole, and gone with their bytes when it is closed.
import { expect, test } from "bun:test";
import { gunzipSync } from "node:zlib";
import { emptyAccount } from "@turnpike/accounts";
import { writeArchive } from "@turnpike/archive";
import { purgeObjects } from "@turnpike/objects";
import { archiveAccount } from "../../src/archive-account.ts";
import {
  openAccount,
  readJson,
  startTestServer,
  type TestAccount,
  useServer,
} from "../harness/index.ts";
import { filesEnvironment, useFiles } from "./use-files.fixture.ts";

const { server, account } = await useServer(startTestServer({ environment: filesEnvironment }));
const { ask, upload, openOtherProject, countBlobs, countRows } = useFiles(server);

async function archive({ id }: TestAccount): Promise<Buffer> {
  const part = archiveAccount(id, "account", server.services);
  const chunks = writeArchive((read) => read(server.owner.db), [part]);
  return gunzipSync(Buffer.concat(await Array.fromAsync(chunks)));
}

const userData = { purpose: "user_data" };

test("an archive has the files of all projects of the account, whole, and no file of another account", async () => {
  const large = Buffer.alloc(3_000_001, "the lines of a large file\n");
  await upload(account.key, large, userData, "large.txt");
  await upload(await openOtherProject(account), "of another project", userData, "small.txt");
  const eve = await openAccount(server);
  await upload(eve.key, "what another account keeps", userData, "hers.txt");
  const tar = await archive(account);
  expect(tar.includes(large)).toBe(true);
  expect(tar.includes("of another project")).toBe(true);
  expect(tar.includes("what another account keeps")).toBe(false);
  const text = tar.toString("latin1");
  expect(text).toMatch(/account\/files\/file-[0-9a-f]{32} large\.txt/);
  expect(text).toContain('"filename":"small.txt"');
  expect(text).not.toContain('"key":');
});

test("a file whose bytes are gone is missing in an archive that is whole otherwise", async () => {
  const ada = await openAccount(server);
  await upload(ada.key, "x".repeat(100_000), userData, "lost.txt");
  await upload(ada.key, "what is left", userData, "left.txt");
  await server.owner
    .sql`update objects set blob = md5(blob) where account_id = ${ada.id} and blob is not null`;
  const tar = await archive(ada);
  expect(tar.includes("what is left")).toBe(true);
  expect(tar.includes(`${"x".repeat(1_000)}`)).toBe(false);
});

test("the files of a closed account are seen by nobody and deleted with their bytes", async () => {
  const ada = await openAccount(server);
  const before = countBlobs();
  const { id } = await readJson(await upload(ada.key, "x".repeat(100_000), userData));
  await upload(ada.key, "small", userData);
  await server.owner.db.transaction((tx) => emptyAccount(tx, ada.id));
  expect((await ask(ada.key, `/${id}`)).status).toBe(404);
  expect((await upload(ada.key, "one more", userData)).status).toBe(403);
  const { objects, jobsDatabase } = server.services;
  if (objects === undefined) throw new Error("files are not kept");
  await purgeObjects(jobsDatabase.db, objects.blobs);
  expect([await countRows(ada), countBlobs()]).toEqual([0, before]);
});
