// What is no file that can be kept is refused with what to do instead, and nothing of it remains.
import { afterEach, expect, test } from "bun:test";
import {
  expectFault,
  openAccount,
  readJson,
  startTestServer,
  useServer,
} from "../harness/index.ts";
import { filesEnvironment, useFiles } from "./use-files.fixture.ts";

const { server, account } = await useServer(
  startTestServer({
    environment: { ...filesEnvironment, FILES_MIB_PER_ACCOUNT: "1", FILES_PER_ACCOUNT: "2" },
  }),
);
const { ask, upload, countBlobs, countRows } = useFiles(server);
afterEach(async () => expect([await countRows(account), countBlobs()]).toEqual([0, 0]));

const refused = { status: 400 };
const userData = { purpose: "user_data" };
const expiring = (seconds: string, anchor = "created_at") => ({
  ...userData,
  "expires_after[anchor]": anchor,
  "expires_after[seconds]": seconds,
});

test.each<[string, string | Uint8Array, Record<string, string>, string, string, string]>([
  ["no purpose", "x", {}, "missing_required_parameter", "purpose", "'purpose'"],
  [
    "a purpose for training",
    "x",
    { purpose: "fine-tune" },
    "invalid_value",
    "purpose",
    "'batch', 'user_data' and 'vision'",
  ],
  ["an empty file", "", userData, "invalid_value", "file", "it is empty"],
  [
    "a file of another kind as a picture",
    "GIF",
    { purpose: "vision" },
    "invalid_image",
    "file",
    "png, jpeg",
  ],
  [
    "a batch that is no text",
    new Uint8Array([1, 0, 2]),
    { purpose: "batch" },
    "invalid_value",
    "file",
    "one JSON object in each line",
  ],
  [
    "too short a time",
    "x",
    expiring("3599"),
    "integer_below_min_value",
    "expires_after.seconds",
    "3600",
  ],
  [
    "too long a time",
    "x",
    expiring("2592001"),
    "integer_above_max_value",
    "expires_after.seconds",
    "2592000",
  ],
  [
    "no number of seconds",
    "x",
    expiring("soon"),
    "invalid_type",
    "expires_after.seconds",
    "an integer",
  ],
  [
    "another anchor",
    "x",
    expiring("3600", "last_active_at"),
    "invalid_value",
    "expires_after.anchor",
    "created_at",
  ],
  [
    "an unknown field",
    "x",
    { ...userData, model: "m" },
    "invalid_value",
    "model",
    "'expires_after'",
  ],
])("%s is refused", async (_, bytes, fields, code, param, says) => {
  const large = bytes === "x" ? "x".repeat(100_000) : bytes;
  const error = await expectFault(await upload(account.key, large, fields), {
    ...refused,
    code,
    param,
  });
  expect(error.message).toContain(says);
});

test("a form without a file, and a body that is no form", async () => {
  const form = new FormData();
  form.append("purpose", "user_data");
  const without = await ask(account.key, "", { method: "POST", body: form });
  await expectFault(without, { ...refused, code: "missing_required_parameter", param: "file" });
  const headers = { "content-type": "application/json" };
  const json = await ask(account.key, "", { method: "POST", headers, body: "{}" });
  await expectFault(json, { status: 415, code: "unsupported_media_type" });
});

test("a form that ends in the middle of a large file leaves nothing", async () => {
  const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n';
  const headers = { "content-type": "multipart/form-data; boundary=b" };
  const body = head + "x".repeat(200_000);
  const cut = await ask(account.key, "", { method: "POST", headers, body });
  await expectFault(cut, { ...refused, code: null });
});

test.each([
  ["?limit=0", "integer_below_min_value", "limit"],
  ["?limit=10001", "integer_above_max_value", "limit"],
  ["?limit=many", "invalid_value", "limit"],
  ["?order=up", "invalid_value", "order"],
])("%s is refused", async (query, code, param) => {
  await expectFault(await ask(account.key, query), { ...refused, code, param });
});

test("an account that is full is told what to do, and other accounts are not full", async () => {
  const [full, other] = [await openAccount(server), await openAccount(server)];
  const kept = await upload(full.key, "x".repeat(900_000), userData);
  const { id } = await readJson(kept);
  const tooMuch = await upload(full.key, "x".repeat(200_000), userData);
  const code = "permission_denied";
  const error = await expectFault(tooMuch, {
    status: 403,
    code,
    param: "file",
    type: "permission_error",
  });
  expect(error.message).toContain("at most 2 files, of 1 MiB together. Delete some");
  const second = await readJson(await upload(full.key, "small", userData));
  expect((await upload(full.key, "third", userData)).status).toBe(403);
  const fits = await readJson(await upload(other.key, "x".repeat(900_000), userData));
  for (const [key, one] of [
    [full.key, id],
    [full.key, second.id],
    [other.key, fits.id],
  ] as const) {
    expect((await ask(key, `/${one}`, { method: "DELETE" })).status).toBe(200);
  }
});

test("without SEALING_KEY nothing is kept, and the answer says what its operator has to do", async () => {
  const bare = await startTestServer({ site: server, environment: { SEALING_KEY: "" } });
  try {
    const answer = await useFiles(bare).upload(account.key, "x", userData);
    const code = "permission_denied";
    const error = await expectFault(answer, { status: 403, code, type: "permission_error" });
    expect(error.message).toContain("OBJECTS_FOLDER and SEALING_KEY");
  } finally {
    await bare.close();
  }
});
