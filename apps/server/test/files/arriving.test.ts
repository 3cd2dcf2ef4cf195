// A file is encrypted and written while it arrives, seen by nobody until it is whole, and gone if its client leaves.
import { expect, test } from "bun:test";
import {
  openAccount,
  readJson,
  startTestServer,
  type TestAccount,
  useServer,
} from "../harness/index.ts";
import { filesEnvironment, useFiles } from "./use-files.fixture.ts";

const { server } = await useServer(startTestServer({ environment: filesEnvironment }));
const { ask, countBlobs, countBytes, countRows } = useFiles(server);

const boundary = "a-boundary";
const headers = { "content-type": `multipart/form-data; boundary=${boundary}` };
const partHead = (name: string) =>
  `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${name === "file" ? '; filename="a.txt"' : ""}\r\n\r\n`;
const half = "half of a file ".repeat(100_000);

/** Sends the first half, and the rest when it is told to. */
function beginUpload({ key }: TestAccount) {
  const gone = new AbortController();
  const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>();
  const body = new ReadableStream<string>({
    async start(sender) {
      sender.enqueue(partHead("file") + half);
      await goesOn;
      sender.enqueue(`${half}\r\n${partHead("purpose")}user_data\r\n--${boundary}--\r\n`);
      sender.close();
    },
  }).pipeThrough(new TextEncoderStream());
  const answer = ask(key, "", { method: "POST", headers, body, signal: gone.signal });
  return { answer, goOn, leave: () => gone.abort() };
}

/** Asks until it is so: each time the server has turned to something else. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo()));
}

test("a file is on disk while it arrives, and seen when it is whole", async () => {
  const account = await openAccount(server);
  const { answer, goOn } = beginUpload(account);
  await until(async () => (await countRows(account)) === 1 && countBytes() > 1_000_000);
  expect(await readJson(await ask(account.key, ""))).toMatchObject({ data: [] });
  goOn();
  const { id, bytes } = await readJson(await answer);
  expect(bytes).toBe(2 * half.length);
  expect(await (await ask(account.key, `/${id}/content`)).text()).toBe(half + half);
  expect((await ask(account.key, `/${id}`, { method: "DELETE" })).status).toBe(200);
});

test("nothing is left of a file whose client leaves before it is whole", async () => {
  const account = await openAccount(server);
  const before = countBlobs();
  const { answer, leave } = beginUpload(account);
  await until(async () => (await countRows(account)) === 1 && countBytes() > 1_000_000);
  leave();
  await expect(answer).rejects.toThrow();
  await until(async () => (await countRows(account)) === 0);
  expect(countBlobs()).toBe(before);
});
