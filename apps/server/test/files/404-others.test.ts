// A file belongs to the project of the key that uploaded it: nobody else sees, reads, deletes or lists it, and the answer to its id is
// that to an id that never existed.
import { expect, test } from "bun:test";
import {
  expectFault,
  openAccount,
  readJson,
  startTestServer,
  useServer,
} from "../harness/index.ts";
import { filesEnvironment, useFiles } from "./use-files.fixture.ts";

const { server, account } = await useServer(startTestServer({ environment: filesEnvironment }));
const { ask, upload, openOtherProject } = useFiles(server);

const notFound = { status: 404, code: "not_found", param: "id" };
const never = `file-${"0".repeat(32)}`;

test("keys of another account and of another project get 404, as for an id that never existed", async () => {
  const { id } = await readJson(await upload(account.key, "a secret", { purpose: "user_data" }));
  const eve = await openAccount(server);
  const texts = new Set<string>();
  for (const key of [eve.key, await openOtherProject(account)]) {
    for (const [path, method] of [
      [`/${id}`, "GET"],
      [`/${id}`, "DELETE"],
      [`/${id}/content`, "GET"],
      [`/${never}`, "GET"],
      [`/${never}/content`, "GET"],
      ["/file-1", "DELETE"],
      [`/${String(id).toUpperCase()}`, "GET"],
      [`/${String(id).slice(5)}`, "GET"],
    ] as const) {
      texts.add(String((await expectFault(await ask(key, path, { method }), notFound)).message));
    }
    expect(await readJson(await ask(key, ""))).toMatchObject({ data: [] });
    expect(await readJson(await ask(key, `?after=${id}&order=asc`))).toMatchObject({ data: [] });
  }
  expect([...texts]).toEqual([
    "No file of the project of this key has this id. GET /v1/files lists those there are.",
  ]);
  expect(await (await ask(account.key, `/${id}/content`)).text()).toBe("a secret");
});

test("another upload of the same name and contents is a file of its own", async () => {
  const eve = await openAccount(server);
  const ids = [];
  for (const key of [account.key, account.key, eve.key]) {
    ids.push((await readJson(await upload(key, "the same", { purpose: "user_data" }))).id);
  }
  expect(new Set(ids).size).toBe(3);
  await ask(eve.key, `/${ids[2]}`, { method: "DELETE" });
  expect((await ask(account.key, `/${ids[0]}`)).status).toBe(200);
});
