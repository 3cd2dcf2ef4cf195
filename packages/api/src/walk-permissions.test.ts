// Walks all procedures with every role of an account, an anonymous caller and a member of another account:
// each is served exactly those whose permission its role has, and who has it for their own keys only is
// served nothing of others.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { scopeOf } from "@turnpike/accounts";
import { roles } from "@turnpike/terms";
import {
  callProcedure,
  type Member,
  openTestApi,
  procedureNames,
  type TestApi,
} from "./open-test-api.fixture.ts";
import { metaOf } from "./read-procedure.fixture.ts";
import type { OwnedIds, Sample } from "./walk-sample.fixture.ts";
import { samples } from "./walk-samples.fixture.ts";

/** About the person, in whichever account they are. */
const personal =
  /^(?:auth|factors|profile|sessions)\.|^accounts\.create$|^invitations\.(?:accept|acceptOwn|own)$/;

let api: TestApi;

beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

function sampleOf(name: string): Sample {
  return samples[name] ?? {};
}

async function slugOf({ accountId }: Member): Promise<string> {
  const [row] = await api.sql<{ slug: string }[]>`
    select slug from accounts where id = ${accountId}`;
  return row?.slug ?? "";
}

/** The fault of a call of the procedure, or "served". */
async function outcomeOf(name: string, member: Member | undefined, slug: string, ids: OwnedIds) {
  const context = await api.contextOf(member, slug);
  const outcome = await callProcedure(name, context, sampleOf(name).input?.(ids));
  return { fault: outcome.ok ? "served" : outcome.fault, outcome };
}

describe.each(procedureNames)("%s", (name) => {
  const { permission } = metaOf(name);

  test("names a permission, unless it is public or about the person", () => {
    const isOfAccount = sampleOf(name).public !== true && !personal.test(name);
    expect(permission !== undefined).toBe(isOfAccount);
  });

  if (permission === undefined) return;

  test("serves the roles that have its permission, and nobody else", async () => {
    const founder = await api.addMember();
    const slug = await slugOf(founder);
    for (const role of roles) {
      const member = await api.addColleague(founder, role);
      const { fault } = await outcomeOf(name, member, slug, member.ownedIds);
      const isGranted = scopeOf(role, permission) !== undefined;
      expect([role, fault === "permission_denied"]).toEqual([role, !isGranted]);
      if (isGranted) expect(["unauthenticated", "internal_error"]).not.toContain(fault);
    }
    expect((await outcomeOf(name, undefined, slug, founder.ownedIds)).fault).toBe(
      "unauthenticated",
    );
    const eve = await api.addMember();
    expect((await outcomeOf(name, eve, slug, founder.ownedIds)).fault).toBe("not_found");
    expect((await outcomeOf(name, eve, "no-such-account", eve.ownedIds)).fault).toBe("not_found");
  });

  test("shows who has it for their own keys nothing of the keys of others", async () => {
    for (const role of roles.filter((one) => scopeOf(one, permission) === "own")) {
      const founder = await api.addMember();
      const member = await api.addColleague(founder, role);
      const slug = await slugOf(founder);
      const { fault, outcome } = await outcomeOf(name, member, slug, founder.ownedIds);
      const kinds = Object.values(sampleOf(name).ids ?? {});
      // An id that is made is taken by the founder, who is found first.
      if (kinds.includes("made")) expect(fault).toBe("conflict");
      else if (kinds.includes("owned")) expect(fault).toBe("not_found");
      const shown = JSON.stringify(outcome.ok ? (outcome.value ?? null) : null);
      const { keyId, foreignKeyId, generationId } = founder.ownedIds;
      for (const id of [keyId, foreignKeyId, generationId]) expect(shown).not.toContain(id);
    }
  });
});

test("a removed member is refused by their next request, in a session that was open before", async () => {
  const founder = await api.addMember();
  const slug = await slugOf(founder);
  const member = await api.addColleague(founder, "admin");
  expect((await outcomeOf("keys.list", member, slug, member.ownedIds)).fault).toBe("served");
  const personId = (await api.contextOf(member)).authenticated?.person.id;
  const context = await api.contextOf(founder, slug);
  const removed = await callProcedure("members.remove", context, { personId, keys: "revoke" });
  expect(removed.ok).toBe(true);
  expect((await outcomeOf("keys.list", member, slug, member.ownedIds)).fault).toBe("not_found");
  const [key] = await api.sql`select revoked_at from api_keys where id = ${member.ownedIds.keyId}`;
  expect(key?.revoked_at).not.toBeNull();
});
