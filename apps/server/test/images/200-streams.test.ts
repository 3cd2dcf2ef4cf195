// Streamed images: previews as they come and for nothing, each finished image with its bill, and nothing at all for an answer
// that breaks off before its image.
import { afterAll, afterEach, expect, test } from "bun:test";
import {
  at,
  expectCleanBooks,
  openAccount,
  postJson,
  readMoney,
  startTestServer,
  testModels,
} from "../harness/index.ts";

const server = await startTestServer();
afterAll(() => server.close());
afterEach(() => expectCleanBooks(server));

type Event = { readonly name: string; readonly data: Record<string, unknown> };

async function stream(key: string, fields: object, prompt = "a lighthouse") {
  const response = await postJson(server, key, "/images/generations", {
    model: testModels.image,
    prompt,
    size: "1024x1024",
    quality: "low",
    stream: true,
    ...fields,
  });
  const body = await response.text();
  if (response.status !== 200) throw new Error(body);
  const events = body
    .split("\n\n")
    .filter((frame) => frame.includes("data: "))
    .map((frame): Event => {
      const [, name = ""] = /^event: (.*)$/m.exec(frame) ?? [];
      const [, data = "{}"] = /^data: (.*)$/m.exec(frame) ?? [];
      return { name, data: JSON.parse(data) };
    });
  return { response, events };
}

test("previews come first, and the finished image has the usage with its cost", async () => {
  const account = await openAccount(server);
  const { response, events } = await stream(account.key, { partial_images: 2 });
  expect(response.headers.get("content-type")).toStartWith("text/event-stream");
  expect(events.map(({ name }) => name)).toEqual([
    "image_generation.partial_image",
    "image_generation.partial_image",
    "image_generation.completed",
  ]);
  const [, , completed] = events;
  expect(completed?.data).toMatchObject({ type: "image_generation.completed" });
  const cost = Number(at(completed?.data, "usage.cost"));
  const { balanceNanos } = await readMoney(server, account.id);
  expect(10_000_000_000n - balanceNanos).toBe(BigInt(Math.round(cost * 1e9)));
  expect(cost).toBeGreaterThan(0);
});

test("an upstream that does not stream is shown as one finished image", async () => {
  const account = await openAccount(server);
  const { events } = await stream(account.key, {
    model: testModels.imagePiece,
    quality: undefined,
  });
  expect(events.map(({ name }) => name)).toEqual(["image_generation.completed"]);
  expect(at(events[0]?.data, "usage.cost")).toBe(0.04);
});

test("an answer that breaks off after a preview costs nothing", async () => {
  const account = await openAccount(server);
  const prompt = `a lighthouse #script ${JSON.stringify({ cutAfterDeltas: 1 })}`;
  const { events } = await stream(account.key, { partial_images: 2 }, prompt);
  expect(events.map(({ name }) => name)).toEqual(["image_generation.partial_image", "error"]);
  expect(await readMoney(server, account.id)).toMatchObject({ balanceNanos: 10_000_000_000n });
});
