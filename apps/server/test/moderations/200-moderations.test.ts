// Moderations are free, take texts and images, and have one verdict for each text.
import { afterAll, afterEach, expect, test } from "bun:test";
import {
  at,
  expectCleanBooks,
  openAccount,
  postJson,
  readJson,
  readMoney,
  startTestServer,
  testModels,
} from "../harness/index.ts";

const server = await startTestServer();
afterAll(() => server.close());
afterEach(() => expectCleanBooks(server));

const moderate = (key: string, input: unknown) =>
  postJson(server, key, "/moderations", { model: testModels.moderation, input });

test("each text has its verdict, and it costs nothing", async () => {
  const account = await openAccount(server);
  const response = await moderate(account.key, ["peace", "pure forbidden"]);
  expect(response.status).toBe(200);
  const body = await readJson(response);
  expect([at(body, "results.0.flagged"), at(body, "results.1.flagged")]).toEqual([false, true]);
  expect(await readMoney(server, account.id)).toMatchObject({ balanceNanos: 10_000_000_000n });
});

test("a text and an image have one verdict together", async () => {
  const account = await openAccount(server);
  const response = await moderate(account.key, [
    { type: "text", text: "pure forbidden" },
    { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } },
  ]);
  expect(response.status).toBe(200);
  expect((await readJson(response)).results).toHaveLength(1);
});

test.each([
  ["nothing", [], "input"],
  ["a part of another type", [{ type: "audio" }], "input[0].type"],
  [
    "an address of another kind",
    [{ type: "image_url", image_url: { url: "file:///etc/passwd" } }],
    "input[0].image_url.url",
  ],
])("%s is refused by name", async (_what, input, param) => {
  const account = await openAccount(server);
  const response = await moderate(account.key, input);
  expect(response.status).toBe(400);
  expect(at(await readJson(response), "error.param")).toBe(param);
});
