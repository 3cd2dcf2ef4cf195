import { expect, test } from "bun:test";
import type { UnitCount } from "@turnpike/terms";
import { formatUnitCount } from "./units.ts";

test.each<[UnitCount, string]>([
  [{ unit: "images", count: 1 }, "1 image"],
  [{ unit: "images", variant: "high/1024x1024", count: 3 }, "3 images, high/1024x1024"],
  [{ unit: "audioMilliseconds", count: 12_400 }, "12.4 s of audio"],
  [{ unit: "audioMilliseconds", count: 3_600_001 }, "3,600.001 s of audio"],
  [{ unit: "characters", count: 1_200 }, "1,200 characters"],
  [{ unit: "searchUnits", count: 2 }, "2 search units"],
])("%p is shown exactly, as %s", (counted, shown) => {
  expect(formatUnitCount(counted)).toBe(shown);
});
