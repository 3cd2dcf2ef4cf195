// Who sees what was asked and answered, where it is stored: every role, for calls of one's own keys and of others'.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { parseGenerationId } from "@turnpike/base";
import { type Role, roles } from "@turnpike/terms";
import { storePrompt } from "../add-secrets.fixture.ts";
import { callProcedure, type Member, openTestApi, type TestApi } from "../open-test-api.fixture.ts";

let bed: TestApi;
let founder: Member;
let slug: string;

beforeAll(async () => {
  bed = await openTestApi();
  founder = await bed.addMember();
  const [account] = await bed.sql<{ slug: string }[]>`
    select slug from accounts where id = ${founder.accountId}`;
  slug = account?.slug ?? "";
  const { accountId: id } = founder;
  expect(await call("projects.setPrompts", founder, { id, days: 7 })).toMatchObject({ ok: true });
  await store(founder, "asked by the founder");
});
afterAll(() => bed.close());

const call = async (name: string, member: Member, input: unknown) =>
  callProcedure(name, await bed.contextOf(member, slug), input);

const read = (member: Member, of: Member) =>
  call("logs.prompt", member, { id: of.ownedIds.generationId });

async function store({ accountId, ownedIds }: Member, text: string): Promise<void> {
  const id = parseGenerationId(ownedIds.generationId);
  if (id === undefined) throw new Error("an id of a request");
  await storePrompt(bed, accountId, id, text);
}

const expected: Readonly<Record<Role, readonly [own: string, others: string]>> = {
  owner: ["shown", "shown"],
  admin: ["shown", "shown"],
  developer: ["shown", "not_found"],
  billing: ["permission_denied", "permission_denied"],
  viewer: ["permission_denied", "permission_denied"],
};

test.each([...roles])("%s", async (role) => {
  const member = await bed.addColleague(founder, role);
  await store(member, "asked with their own key");
  const outcomes = [await read(member, member), await read(member, founder)];
  const seen = outcomes.map((outcome): string => (outcome.ok ? "shown" : outcome.fault));
  expect(seen).toEqual([...expected[role]]);
  const text = JSON.stringify(outcomes);
  expect(text.includes("asked by the founder")).toBe(expected[role][1] === "shown");
});

test("every member sees that it is on", async () => {
  for (const role of roles) {
    const member = await bed.addColleague(founder, role);
    expect(await call("projects.list", member, undefined)).toMatchObject({
      value: expect.arrayContaining([
        expect.objectContaining({ id: founder.accountId, promptDays: 7, redactsPrompts: true }),
      ]),
    });
  }
});

test("another account sees nothing of it", async () => {
  const eve = await bed.addMember();
  const { generationId: id } = founder.ownedIds;
  const outcome = await callProcedure("logs.prompt", await bed.contextOf(eve), { id });
  expect(outcome).toMatchObject({ ok: false });
  expect(JSON.stringify(outcome)).not.toContain("asked");
});
