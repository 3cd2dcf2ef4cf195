import { expect, test } from "bun:test";
import { formatBytes } from "./bytes.ts";

test.each<[number, string]>([
  [0, "0 B"],
  [1_023, "1,023 B"],
  [1_024, "1 KiB"],
  [1_434, "1.4 KiB"],
  [10_239, "10 KiB"],
  [209_715_200, "200 MiB"],
  [2 ** 50, "1,024 TiB"],
])("%d bytes are shown as %s", (bytes, shown) => {
  expect(formatBytes(bytes)).toBe(shown);
});
