// Approximate places: from a database of the operator, by city and country, and never a guess.
import { expect, test } from "bun:test";
import { writePlaces } from "@turnpike/testing";
import { openPlaces } from "./find-place.ts";

const findPlace = openPlaces(
  writePlaces({
    "203.0.113.0/24": { city: "Vienna", country: "Austria" },
    "198.51.100.0/25": { country: "Norway" },
    "192.0.2.7/32": {},
  }),
);

test.each([
  ["203.0.113.1", "Vienna, Austria"],
  ["203.0.113.255", "Vienna, Austria"],
  ["203.0.114.1", ""],
  ["198.51.100.127", "Norway"],
  ["198.51.100.128", ""],
  ["192.0.2.7", ""],
  ["2001:db8::1", ""],
  ["", ""],
  ["not an address", ""],
])("%s is in %j", (address, place) => {
  expect(findPlace(address)).toBe(place);
});

test("a file that is no such database is refused", () => {
  for (const text of ["", "city,country", "x".repeat(10_000)]) {
    expect(() => openPlaces(Buffer.from(text))).toThrow();
  }
});
