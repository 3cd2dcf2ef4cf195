// Walks all procedures: none accepts unknown fields, only the listed ones serve an
// anonymous caller, and none lets one account touch another's data. A new procedure fails here
// until it has a sample.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  callProcedure,
  type Member,
  openTestApi,
  procedureNames,
  type TestApi,
} from "./open-test-api.fixture.ts";
import { fieldsOf } from "./read-procedure.fixture.ts";
import type { Sample } from "./walk-sample.fixture.ts";
import { samples } from "./walk-samples.fixture.ts";

let api: TestApi;
let ada: Member;

beforeAll(async () => {
  api = await openTestApi();
  ada = await api.addMember();
});
afterAll(() => api.close());

function sampleOf(name: string): Sample {
  const sample = samples[name];
  if (sample === undefined) throw new Error(`walk-samples.fixture.ts has no row for ${name}.`);
  return sample;
}

async function call(name: string, member: Member | undefined, input: unknown) {
  return callProcedure(name, await api.contextOf(member), input);
}

test("every procedure has a sample, and every sample a procedure", () => {
  expect(Object.keys(samples).sort()).toEqual(procedureNames);
});

describe.each(procedureNames)("%s", (name) => {
  test("declares every field that names something", () => {
    const sample = sampleOf(name);
    const named = fieldsOf(name).filter((field) => /^id$|Ids?$/.test(field));
    expect(Object.keys(sample.ids ?? {}).sort()).toEqual(named.sort());
  });

  test("refuses fields it does not know, at every depth", async () => {
    const input = sampleOf(name).input?.(ada.ownedIds) ?? {};
    for (const stuffed of stuff(input)) {
      const outcome = await call(name, ada, stuffed);
      expect(outcome).toMatchObject({ ok: false, fault: "unknown_parameter" });
      expect(outcome.ok ? "" : outcome.param).toEndWith("surprise");
    }
  });

  test("needs a session unless it is public", async () => {
    const sample = sampleOf(name);
    const outcome = await call(name, undefined, sample.input?.(ada.ownedIds));
    const refused = !outcome.ok && outcome.fault === "unauthenticated";
    expect(refused).toBe(sample.public !== true);
  });

  test("treats what belongs to another account as if it did not exist", async () => {
    const sample = sampleOf(name);
    const kinds = new Set(Object.values(sample.ids ?? {}));
    const eve = await api.addMember(); // Her own each time: logging out is a procedure too.
    const outcome = await call(name, eve, sample.input?.(ada.ownedIds));
    if (kinds.has("owned")) expect(outcome).toMatchObject({ ok: false, fault: "not_found" });
    else if (kinds.has("made")) expect(outcome).toMatchObject({ ok: false, fault: "conflict" });
    // A list filtered by another account's id equals one filtered by an id that does not exist.
    if (kinds.has("filter")) {
      const { ownedIds: nobody } = await api.addMember();
      expect(outcome.ok).toBe(true);
      expect(outcome).toEqual(await call(name, eve, sample.input?.(nobody)));
    }
    if (outcome.ok) {
      for (const id of Object.values(ada.ownedIds)) {
        expect(JSON.stringify(outcome.value ?? null)).not.toContain(id);
      }
    }
  });

  test("finds what belongs to the caller", async () => {
    const sample = sampleOf(name);
    if (!Object.values(sample.ids ?? {}).includes("owned")) return;
    const owner = await api.addMember();
    const outcome = await call(name, owner, sample.input?.(owner.ownedIds));
    expect(outcome.ok ? "ok" : outcome.fault).not.toBe("not_found");
  });
});

/** The input with one field too many, at each place where there is an object. */
function* stuff(input: Readonly<Record<string, unknown>>): Generator<Record<string, unknown>> {
  yield { ...input, surprise: 1 };
  for (const [field, value] of Object.entries(input)) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) continue;
    for (const stuffed of stuff(Object.fromEntries(Object.entries(value)))) {
      yield { ...input, [field]: stuffed };
    }
  }
}
