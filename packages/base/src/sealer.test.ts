import { expect, test } from "bun:test";
import { createSealer, SealBroken } from "./sealer.ts";

const first = "first key of these tests, long enough";
const second = "second key of these tests, long enough";
const place = "signing_keys 1";

test("what is sealed opens again, and two seals of one text differ", () => {
  const sealer = createSealer([first]);
  const sealed = sealer.seal(place, "secret é");
  expect(Buffer.from(sealed).toString("latin1")).not.toContain("secret");
  expect(sealer.open(place, sealed)).toBe("secret é");
  expect(sealer.open(place, sealer.seal(place, ""))).toBe("");
  expect(sealer.seal(place, "secret é")).not.toEqual(sealed);
});

test("nothing opens for another place, under another key, changed or cut short", () => {
  const sealer = createSealer([first]);
  const sealed = sealer.seal(place, "secret");
  expect(() => sealer.open("signing_keys 2", sealed)).toThrow(SealBroken);
  expect(() => createSealer([second]).open(place, sealed)).toThrow(SealBroken);
  for (let index = 0; index < sealed.length; index += 1) {
    const changed = Uint8Array.from(sealed);
    changed[index] = (sealed[index] ?? 0) ^ 1;
    expect(() => sealer.open(place, changed)).toThrow(SealBroken);
    expect(() => sealer.open(place, sealed.subarray(0, index))).toThrow(SealBroken);
  }
});

test("during a change of the key both open, and the first one seals", () => {
  const old = createSealer([first]).seal(place, "secret");
  const both = createSealer([second, first]);
  expect(both.open(place, old)).toBe("secret");
  expect(createSealer([second]).open(place, both.seal(place, "secret"))).toBe("secret");
});
