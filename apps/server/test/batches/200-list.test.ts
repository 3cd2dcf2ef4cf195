// The list of the batches of a project.
import { expect, test } from "bun:test";
import { asObject, openAccount, readJson, startTestServer, useServer } from "../harness/index.ts";
import { batchesEnvironment, batchesTimes, chatLine, useBatches } from "./use-batches.fixture.ts";

const { server } = await useServer(
  startTestServer({ environment: batchesEnvironment, serverTimes: batchesTimes }),
);
const { ask, create, awaitOver } = useBatches(server, () => server.baseUrl);

test("batches are listed newest first, a page at a time", async () => {
  const ada = await openAccount(server);
  const ids: unknown[] = [];
  for (const name of ["a", "b", "c"]) ids.unshift((await create(ada.key, chatLine(name))).id);
  const page = await readJson(await ask(ada.key, "/batches?limit=2"));
  expect(page).toMatchObject({ object: "list", has_more: true, last_id: ids[1] });
  const rest = await readJson(await ask(ada.key, `/batches?limit=2&after=${page.last_id}`));
  expect(rest).toMatchObject({ has_more: false, first_id: ids[2], last_id: ids[2] });
  const listed = [page, rest].flatMap(({ data }) => (Array.isArray(data) ? data : []));
  expect(listed.map((one) => asObject(one).id)).toEqual(ids);
  await Promise.all(ids.map((id) => awaitOver(ada.key, id)));
});
