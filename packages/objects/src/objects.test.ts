// Objects: what is read is what was stored, by the project it belongs to and nobody else, within bounds, and gone in time.
import { afterAll, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { newId, type ProjectId } from "@turnpike/base";
import { deleteObject, listObjects, purgeObjects, queryObject } from "./index.ts";
import { openTestObjects } from "./open-objects.fixture.ts";
import { chunkBytes } from "./seal-chunks.ts";

const site = await openTestObjects();
afterAll(() => site.close());
const { kept, app, owner } = site;
const { sealer, blobs } = kept;

const page = { kind: "file", limit: 100, order: "desc" } as const;

test.each([1, chunkBytes - 1, chunkBytes, chunkBytes + 1, 3 * chunkBytes, 3 * chunkBytes + 5])(
  "%d bytes are read as they were stored, and are neither in the row nor in the folder",
  async (size) => {
    const of = await site.newOwner();
    const bytes = Buffer.alloc(size, "a secret of the caller ");
    const stored = await site.store(of, bytes);
    expect(await site.read(of, stored.id)).toEqual(bytes);
    expect(stored).toMatchObject({ size, filename: "a secret.txt", expiresAt: null });
    const [row] = await owner.sql`
      select encode(sealed_head, 'escape') || coalesce(encode(sealed, 'escape'), '') as text,
             blob is null as is_in_row from objects where id = ${stored.id}`;
    expect(row?.text).not.toContain("secret");
    expect(row?.is_in_row).toBe(size <= chunkBytes);
    for (const file of site.files()) expect(file.read().includes("secret")).toBe(false);
    await deleteObject(site.run, blobs, of, "file", stored.id);
    expect(site.files()).toEqual([]);
  },
);

test("another account and another project see, read and delete nothing, by any id", async () => {
  const ada = await site.newOwner();
  const stored = await site.store(ada, randomBytes(2 * chunkBytes));
  const eve = await site.newOwner();
  const others = [
    eve,
    { ...ada, projectId: newId<ProjectId>() },
    { ...eve, projectId: ada.projectId },
  ];
  for (const other of others) {
    expect((await listObjects(app.db, sealer, other, page)).objects).toEqual([]);
    expect(await queryObject(app.db, sealer, other, "file", stored.id)).toBeUndefined();
    expect(await site.read(other, stored.id)).toBeUndefined();
    expect(await deleteObject(site.run, blobs, other, "file", stored.id)).toBe(false);
  }
  expect((await site.read(ada, stored.id))?.byteLength).toBe(stored.size);
});

test("a row with the head or the contents of another object does not open", async () => {
  const [ada, eve] = [await site.newOwner(), await site.newOwner()];
  const [hers, his] = [
    await site.store(ada, Buffer.from("hers")),
    await site.store(eve, Buffer.from("his")),
  ];
  await owner.sql`update objects set sealed = (select sealed from objects where id = ${hers.id}) where id = ${his.id}`;
  await expect(site.read(eve, his.id)).rejects.toMatchObject({ name: "ContentBroken" });
  await owner.sql`update objects set sealed_head = (select sealed_head from objects where id = ${hers.id}) where id = ${his.id}`;
  await expect(site.read(eve, his.id)).rejects.toMatchObject({ name: "SealBroken" });
});

test("a blob that was cut at a chunk, reordered, exchanged or changed is not read to its end", async () => {
  const of = await site.newOwner();
  const others = site.files().map(({ path }) => path);
  const { id } = await site.store(of, randomBytes(3 * chunkBytes + 100));
  const file = site.files().find(({ path }) => !others.includes(path));
  if (file === undefined) throw new Error("nothing was stored");
  const whole = file.read();
  const sealedChunk = chunkBytes + 16;
  const [first, second] = [
    whole.subarray(0, sealedChunk),
    whole.subarray(sealedChunk, 2 * sealedChunk),
  ];
  const flipped = Buffer.from(whole);
  flipped[sealedChunk + 7] = (flipped[sealedChunk + 7] ?? 0) ^ 1;
  const broken = [
    whole.subarray(0, 2 * sealedChunk),
    whole.subarray(0, -1),
    new Uint8Array(),
    Buffer.concat([second, first, whole.subarray(2 * sealedChunk)]),
    Buffer.concat([first, first, whole.subarray(2 * sealedChunk)]),
    Buffer.concat([whole, first]),
    flipped,
  ];
  for (const bytes of broken) {
    file.write(bytes);
    await expect(site.read(of, id)).rejects.toMatchObject({ name: "ContentBroken" });
  }
  file.write(whole);
  expect((await site.read(of, id))?.byteLength).toBe(3 * chunkBytes + 100);
  await deleteObject(site.run, blobs, of, "file", id);
});

test("an account that is full keeps what it has, and nothing of what did not fit", async () => {
  const of = await site.newOwner();
  const before = site.files().length;
  await site.store(of, randomBytes(900_000));
  const refused = {
    code: "permission_denied",
    message: expect.stringContaining("at most 3 files, of 1 MiB"),
  };
  await expect(site.store(of, randomBytes(200_000))).rejects.toMatchObject(refused);
  // Said to be smaller than it is: found when it ends.
  const liar = site.begin(of, 1);
  for (const bytes of [70_000, 130_000]) await liar.write(randomBytes(bytes));
  const facts = {
    purpose: "user_data",
    mediaType: "text/plain",
    filename: "x",
    keptSeconds: undefined,
  };
  await expect(liar.store(facts)).rejects.toMatchObject(refused);
  await liar.close();
  expect(site.files().length).toBe(before + 1);
  for (const name of ["two", "three"]) await site.store(of, Buffer.from(name));
  await expect(site.store(of, Buffer.from("four"))).rejects.toMatchObject(refused);
  const [row] =
    await owner.sql`select count(*)::int as rows from objects where account_id = ${of.accountId}`;
  expect(row?.rows).toBe(3);
});

test.each([5, 300_000])(
  "files that arrive at the same time do not exceed what one account may keep: %d bytes each",
  async (size) => {
    const of = await site.newOwner();
    const all = await Promise.allSettled(
      Array.from({ length: 12 }, () => site.store(of, randomBytes(size))),
    );
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  },
);

test("expiry deletes rows and bytes, also of a process that was killed while it wrote or deleted", async () => {
  await purgeObjects(app.db, blobs);
  const before = site.files().length;
  const of = await site.newOwner();
  const [kept1, expired] = [
    await site.store(of, randomBytes(2 * chunkBytes), 3_600),
    await site.store(of, randomBytes(2 * chunkBytes), 3_600),
  ];
  const killed = site.begin(of, 100_000);
  await killed.write(randomBytes(100_000));
  expect(await purgeObjects(app.db, blobs)).toEqual({ rows: 0, bytes: 0 });
  expect((await listObjects(app.db, sealer, of, page)).objects).toHaveLength(2);
  expect(site.files().length).toBe(before + 3);
  await owner.sql`update objects set expires_at = now() where id = ${expired.id} or
                  (account_id = ${of.accountId} and state = 'writing')`;
  expect(await site.read(of, expired.id)).toBeUndefined();
  expect(await purgeObjects(app.db, blobs)).toEqual({ rows: 2, bytes: 2 * chunkBytes + 100_000 });
  expect(site.files().length).toBe(before + 1);
  const facts = {
    purpose: "user_data",
    mediaType: "text/plain",
    filename: "x",
    keptSeconds: undefined,
  };
  await expect(killed.store(facts)).rejects.toMatchObject({ code: "request_timeout" });
  await killed.close();
  await owner.sql`update objects set state = 'deleted', expires_at = now() where id = ${kept1.id}`;
  expect(await purgeObjects(app.db, blobs)).toEqual({ rows: 1, bytes: 2 * chunkBytes });
  expect(site.files().length).toBe(before);
});

test("a store that is away is asked three times in a run, and what was not asked for stays due", async () => {
  await purgeObjects(app.db, blobs);
  const owners = [await site.newOwner(), await site.newOwner()];
  for (const of of [...owners, ...owners]) await site.store(of, randomBytes(2 * chunkBytes), 3_600);
  await owner.sql`update objects set expires_at = now() where expires_at is not null`;
  let asked = 0;
  const away = {
    remove: async () => {
      asked += 1;
      throw new Error("the store is away");
    },
  };
  await expect(purgeObjects(app.db, away)).rejects.toThrow("the store is away");
  expect(asked).toBe(3);
  expect((await purgeObjects(app.db, blobs)).rows).toBe(1);
  await owner.sql`update objects set expires_at = now() where state = 'deleted'`;
  expect((await purgeObjects(app.db, blobs)).rows).toBe(3);
});

test("bytes that cannot be removed now make no deletion fail, and go with the next purge", async () => {
  const of = await site.newOwner();
  const before = site.files().length;
  const { id } = await site.store(of, randomBytes(2 * chunkBytes));
  const away = { remove: () => Promise.reject(new Error("the store is away")) };
  expect(await deleteObject(site.run, away, of, "file", id)).toBe(true);
  expect(await site.read(of, id)).toBeUndefined();
  expect(site.files().length).toBe(before + 1);
  expect((await purgeObjects(app.db, blobs)).rows).toBe(1);
  expect(site.files().length).toBe(before);
});

test("bytes that cannot be removed do not keep those of others, and are tried again", async () => {
  const of = await site.newOwner();
  const all = [
    await site.store(of, randomBytes(2 * chunkBytes), 3_600),
    await site.store(of, randomBytes(2 * chunkBytes), 3_600),
  ];
  const isOwn = () => owner.sql`account_id = ${of.accountId}`;
  await owner.sql`update objects set expires_at = now() where ${isOwn()}`;
  let asked = 0;
  const failing = {
    ...blobs,
    remove: (address: string) => {
      asked += 1;
      return asked === 1 ? Promise.reject(new Error("the disk is away")) : blobs.remove(address);
    },
  };
  await expect(purgeObjects(app.db, failing)).rejects.toThrow("the disk is away");
  const left = await owner.sql`select id, state from objects where ${isOwn()}`;
  expect(left).toHaveLength(1);
  expect(left[0]?.state).toBe("deleted");
  expect(all.map(({ id }) => id)).toContain(left[0]?.id);
  await owner.sql`update objects set expires_at = now() where ${isOwn()}`;
  expect((await purgeObjects(app.db, blobs)).rows).toBe(1);
});
