import { expect, test } from "bun:test";
import { loadOnce, reloadForChunk } from "./load-once.ts";

test("a chunk is fetched once, and a failed one may be tried again", async () => {
  let fetched = 0;
  const load = loadOnce(async () => {
    fetched += 1;
    if (fetched === 1) throw new Error("gone");
    return { name: "page" };
  });
  await expect(load()).rejects.toThrow("could not be loaded");
  expect(await load()).toEqual({ name: "page" });
  expect(await load()).toEqual({ name: "page" });
  expect(fetched).toBe(2);
});

test("a chunk that is gone reloads the page, but never twice in a row", async () => {
  let reloads = 0;
  const reload = () => {
    reloads += 1;
  };
  const gone = loadOnce(() => Promise.reject(new Error("404")));
  const error: unknown = await gone().catch((thrown: unknown) => thrown);
  expect(reloadForChunk(error, reload)).toBe(true);
  expect(reloadForChunk(error, reload)).toBe(false);
  expect(reloads).toBe(1);
  // Once something loads again, the next deployment may reload again.
  await loadOnce(async () => "there")();
  expect(reloadForChunk(error, reload)).toBe(true);
});

test("an error of a page itself never reloads", () => {
  expect(reloadForChunk(new Error("bug"), () => undefined)).toBe(false);
});
