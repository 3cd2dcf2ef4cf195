// A database of places that cannot be read keeps the server from starting, and says so.
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writePlaces } from "@turnpike/testing";
import { ConfigError } from "./config.ts";
import { readPlaces } from "./read-places.ts";

test("a file that is missing or no database of places is a mistake of the configuration", () => {
  const folder = mkdtempSync(join(tmpdir(), "turnpike-places-"));
  try {
    const path = join(folder, "places.mmdb");
    expect(() => readPlaces(path)).toThrow(ConfigError);
    writeFileSync(path, "203.0.113.0/24,Vienna");
    expect(() => readPlaces(path)).toThrow(`GEO_FILE: ${path} is no database of places`);
    writeFileSync(path, writePlaces({ "203.0.113.0/24": { city: "Vienna" } }));
    expect(readPlaces(path)("203.0.113.9")).toBe("Vienna");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
