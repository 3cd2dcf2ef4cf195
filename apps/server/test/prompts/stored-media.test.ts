// What was drawn or spoken for a project that stores answers is kept beside them, if nothing in them was to be replaced; where
// storing is off, nothing is.
import { afterAll, afterEach, expect, test } from "bun:test";
import { at, expectCleanBooks, startTestServer, testModels } from "../harness/index.ts";
import { useStoring } from "./use-storing.fixture.ts";

const environment = { SEALING_KEY: "the-sealing-key-of-the-tests-of-prompts" };
const server = await startTestServer({ environment });
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

const { openStoring, settle, lastOf, post } = useStoring([server]);

const drawing = { model: testModels.image, prompt: "a lighthouse", size: "1024x1024", n: 2 };

test("images that were drawn and speech are stored as they are, streamed or not", async () => {
  const account = await openStoring({ days: 30, redacts: false });
  await (await post(account, "/images/generations", drawing)).text();
  const drawn = await lastOf(account);
  expect(at(drawn, "answer.data.0.b64_json")).toMatch(/not stored\]$/);
  expect(at(drawn, "media.0.type")).toBe("image/png");
  expect(String(at(drawn, "media.1.base64"))).toStartWith("iVBORw0K");
  const streamed = { ...drawing, n: 1, stream: true, partial_images: 2 };
  await (await post(account, "/images/generations", streamed)).text();
  const last = await lastOf(account);
  expect(at(last, "media")).toHaveLength(1);
  expect(at(last, "answer.data")).toHaveLength(1);
  const spoken = { model: testModels.speech, input: "Hello!", voice: "alloy" };
  await (await post(account, "/audio/speech", spoken)).arrayBuffer();
  const speech = await lastOf(account);
  expect(at(speech, "answer.audio")).toBe("audio/mpeg");
  expect(at(speech, "media.0.type")).toBe("audio/mpeg");
});

test("where secrets are replaced, no image is stored, for nothing can be replaced in it", async () => {
  const account = await openStoring({ days: 30, redacts: true });
  await (await post(account, "/images/generations", drawing)).text();
  const drawn = await lastOf(account);
  expect(at(drawn, "answer.data.0.b64_json")).toMatch(/not stored\]$/);
  expect(drawn).not.toHaveProperty("media");
});

test("where storing is off, nothing of an image or of speech is stored", async () => {
  const account = await openStoring({ days: null });
  await (await post(account, "/images/generations", drawing)).text();
  const spoken = { model: testModels.speech, input: "Hello!", voice: "alloy" };
  await (await post(account, "/audio/speech", spoken)).arrayBuffer();
  await settle();
  const { id } = account;
  const rows = await server.owner.sql`select 1 from stored_prompts where account_id = ${id}`;
  expect(rows).toHaveLength(0);
});
