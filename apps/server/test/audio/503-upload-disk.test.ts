// The disk that uploads take is bounded, per account and per process, whether or not the account has money.
import { afterAll, afterEach, expect, test } from "bun:test";
import { wavFile } from "@turnpike/testing";
import {
  expectCleanBooks,
  expectFault,
  openAccount,
  startTestServer,
  testModels,
} from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";

const mebibyte = 1024 * 1024;
const server = await startTestServer({ environment: { UPLOAD_DISK_MIB: "512" } });
const { uploadDisk } = server.services;
afterAll(() => server.close());
afterEach(() => expectCleanBooks(server));

/** 2.9 MB. */
const minute = new Uint8Array(wavFile({ seconds: 60 }));

function send(key: string): Promise<Response> {
  const form = new FormData();
  form.append("model", testModels.transcription);
  form.append("file", new File([minute], "minute.wav"));
  const headers = { authorization: `Bearer ${key}` };
  return fetch(`${server.baseUrl}/audio/transcriptions`, { method: "POST", headers, body: form });
}

test("uploads beyond a quarter of the disk are refused, of that account only, until calls have ended", async () => {
  const account = await openAccount(server);
  const other = await openAccount(server);
  const taken = 126 * mebibyte;
  uploadDisk.add(account.id, taken);
  const refused = await send(account.key);
  expect(refused.headers.get("retry-after")).toBe("2");
  const fault = await expectFault(refused, {
    status: 503,
    type: "server_error",
    code: "overloaded",
  });
  expect(fault.message).toContain("disk");
  expect((await send(other.key)).status).toBe(200);
  uploadDisk.add(account.id, -taken);
  expect((await send(account.key)).status).toBe(200);
  await eventually("no file is counted", async () => (uploadDisk.bytes === 0 ? true : undefined));
});
