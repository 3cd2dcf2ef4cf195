// How much a procedure accepts: the bound itself is accepted, one more is refused by the field's name.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type ApiKeyId, newId } from "@turnpike/base";
import type { ApiContext } from "./context.ts";
import { callProcedure, openTestApi, type TestApi } from "./open-test-api.fixture.ts";

const dayMs = 86_400_000;
let api: TestApi;
let context: ApiContext;

beforeAll(async () => {
  api = await openTestApi();
  context = await api.contextOf(await api.addMember());
});
afterAll(() => api.close());

/** The field a call is refused for; undefined if it is answered. */
async function refusedField(name: string, input: object): Promise<string | undefined> {
  const outcome = await callProcedure(name, context, input);
  return outcome.ok ? undefined : (outcome.param ?? outcome.fault);
}

const texts = (count: number) => Array.from({ length: count }, (_, index) => `a/model-${index}`);
const ids = (count: number) => Array.from({ length: count }, () => newId<ApiKeyId>());
const addresses = (count: number) =>
  Array.from({ length: count }, (_, index) => `10.0.${index >> 8}.${index & 255}`);

describe("keys.create", () => {
  const create = (limits: object, name = "key") =>
    refusedField("keys.create", { name, limits, attemptId: newId<ApiKeyId>() });

  test.each([
    ["requestsPerMinute", 1, 10_000_000],
    ["tokensPerMinute", 1, 10_000_000],
    ["concurrency", 1, 10_000],
  ])("%s", async (field, least, most) => {
    expect(await create({ [field]: least })).toBeUndefined();
    expect(await create({ [field]: most })).toBeUndefined();
    expect(await create({ [field]: least - 1 })).toBe(`limits.${field}`);
    expect(await create({ [field]: most + 1 })).toBe(`limits.${field}`);
  });

  test("the largest amount that can be stored", async () => {
    expect(await create({ spendLimitsUsd: { day: "9223372036.85" } })).toBeUndefined();
    expect(await create({ spendLimitsUsd: { day: "9223372036.86" } })).toBe(
      "limits.spendLimitsUsd.day",
    );
  });

  test("lists of models and addresses", async () => {
    expect(await create({ allowedModels: texts(200) })).toBeUndefined();
    expect(await create({ allowedModels: texts(201) })).toBe("limits.allowedModels");
    expect(await create({ allowedAddresses: addresses(100) })).toBeUndefined();
    expect(await create({ allowedAddresses: addresses(101) })).toBe("limits.allowedAddresses");
  });

  test("text of up to 64 characters is read as an address, longer text is too long", async () => {
    const createFor = (address: string) => {
      const input = { name: "key", limits: { allowedAddresses: [address] } };
      return callProcedure("keys.create", context, { ...input, attemptId: newId<ApiKeyId>() });
    };
    const refused = { ok: false, param: "limits.allowedAddresses.0" };
    const invalid = { ...refused, fault: "invalid_value" };
    const tooLong = { ...refused, fault: "string_above_max_length" };
    expect(await createFor("1".repeat(64))).toEqual(expect.objectContaining(invalid));
    expect(await createFor("1".repeat(65))).toEqual(expect.objectContaining(tooLong));
  });

  test("an expiry in the past is refused, also when a key is changed", async () => {
    const past = { expiresAt: new Date(Date.now() - 1_000).toISOString() };
    const future = { expiresAt: new Date(Date.now() + dayMs).toISOString() };
    expect(await create(past)).toBe("limits.expiresAt");
    expect(await create(future)).toBeUndefined();
    const id = newId<ApiKeyId>();
    await callProcedure("keys.create", context, { name: "changed", attemptId: id });
    expect(await refusedField("keys.update", { id, limits: past })).toBe("limits.expiresAt");
    expect(await refusedField("keys.update", { id, limits: future })).toBeUndefined();
  });

  test("the grace of a rotation is one of those on offer", async () => {
    const id = newId<ApiKeyId>();
    await callProcedure("keys.create", context, { name: "rotated", attemptId: id });
    for (const graceSeconds of [1, 3_601, -1, 604_801]) {
      expect(await refusedField("keys.rotate", { id, graceSeconds })).toBe("graceSeconds");
    }
    for (const graceSeconds of [0, 3_600, 86_400, 604_800]) {
      expect(await refusedField("keys.rotate", { id, graceSeconds })).toBeUndefined();
      await callProcedure("keys.endPrevious", context, { id });
    }
  });
});

describe("logs.list", () => {
  test.each([
    ["limit", [1, 100], [0, 101]],
    ["minLatencyMs", [0, 1e9], [-1, 1e9 + 1]],
    ["keyIds", [ids(100)], [ids(101)]],
    ["models", [texts(100)], [texts(101)]],
    ["providers", [texts(20)], [texts(21)]],
    ["without", [["app", "user"]], [["app", "user", "app"]]],
    ["errorCode", ["e".repeat(64)], ["e".repeat(65)]],
    ["app", ["a".repeat(100), "line\nbreak"], ["", "a".repeat(101), "a\0"]],
    ["user", ["u".repeat(128), "line\nbreak"], ["", "u".repeat(129), "u\ud800"]],
    ["minCostUsd", ["0.000000001", "9223372036.854775807"], ["0.0000000001", "9223372037"]],
  ])("%s", async (field, taken, refused) => {
    for (const value of taken) {
      expect(await refusedField("logs.list", { [field]: value })).toBeUndefined();
    }
    for (const value of refused) {
      expect(await refusedField("logs.list", { [field]: value })).toBe(field);
    }
  });
});

test("a shared conversation has at most 1 MiB and a title of 120 characters", async () => {
  const share = (content: string, title = "x") =>
    refusedField("conversations.share", { title, content });
  expect(await share("x".repeat(1_048_576), "x".repeat(120))).toBeUndefined();
  expect(await share("x".repeat(1_048_577))).toBe("content");
  // Fewer characters, more bytes.
  expect(await share("é".repeat(524_289))).toBe("content");
  expect(await share("{}", "x".repeat(121))).toBe("title");
});

describe("usage.read", () => {
  const from = Date.UTC(2026, 0, 1);
  const read = (lengthMs: number, more: object = {}) =>
    refusedField("usage.read", {
      from: new Date(from).toISOString(),
      to: new Date(from + lengthMs).toISOString(),
      timeZone: "UTC",
      groupBy: "model",
      ...more,
    });

  test("a range has a beginning before its end, and at most 400 days", async () => {
    expect(await read(0)).toBe("to");
    expect(await read(-1)).toBe("to");
    expect(await read(1)).toBeUndefined();
    expect(await read(400 * dayMs)).toBeUndefined();
    expect(await read(400 * dayMs + 1)).toBe("from");
  });

  test("an offset, whose sign PostgreSQL reads the other way round, is read as UTC like any other unknown zone", async () => {
    for (const timeZone of ["Europe/Berlin", "utc", "Etc/GMT-14", "+05:30", "Mars/Base"]) {
      expect(await read(dayMs, { timeZone })).toBeUndefined();
    }
  });

  test("filters", async () => {
    expect(await read(dayMs, { keyIds: ids(100), models: texts(100) })).toBeUndefined();
    expect(await read(dayMs, { keyIds: ids(101) })).toBe("keyIds");
    expect(await read(dayMs, { models: texts(101) })).toBe("models");
  });
});

test("usage by app or user, which is not added up, has a range of at most 31 days", async () => {
  const from = Date.UTC(2026, 9, 1);
  const read = (lengthMs: number, groupBy: readonly string[], cursor?: string) =>
    refusedField("usage.groups", {
      from: new Date(from).toISOString(),
      to: new Date(from + lengthMs).toISOString(),
      timeZone: "UTC",
      groupBy,
      cursor,
    });
  // In October clocks are set back in many places.
  const month = 31 * dayMs + 3_600_000;
  for (const groupBy of [["app"], ["user"], ["model", "user", "app", "day"]]) {
    expect(await read(month, groupBy)).toBeUndefined();
    expect(await read(month + 1, groupBy)).toBe("from");
  }
  expect(await read(month + 1, ["model", "day"])).toBeUndefined();
  const after = (value: string) => Buffer.from(JSON.stringify([value])).toString("base64url");
  expect(await read(dayMs, ["user"], after("line\nbreak, 😀"))).toBeUndefined();
  expect(await read(dayMs, ["user"], after("a\0"))).toBe("cursor");
});

test("a time must be in the years 2000 to 2199, to the millisecond", async () => {
  const read = (from: string, to: string) =>
    refusedField("usage.read", { from, to, timeZone: "UTC", groupBy: "model" });
  const [first, last] = ["2000-01-01T00:00:00.000Z", "2199-12-31T23:59:59.999Z"];
  expect(await read(first, "2000-01-02T00:00:00Z")).toBeUndefined();
  expect(await read("1999-12-31T23:59:59.999Z", "2000-01-02T00:00:00Z")).toBe("from");
  expect(await read("2199-12-31T00:00:00Z", last)).toBeUndefined();
  expect(await read("2199-12-31T00:00:00Z", "2200-01-01T00:00:00.000Z")).toBe("to");
  // The same moment, written with the offset of another zone.
  expect(await read("2000-01-01T01:00:00+01:00", "2000-01-02T00:00:00Z")).toBeUndefined();
  expect(await read("2000-01-01T00:59:59+01:00", "2000-01-02T00:00:00Z")).toBe("from");
});

test("no time zone fails a report", async () => {
  const read = (timeZone: string) => refusedField("overview.read", { timeZone });
  for (const zone of ["UTC", "Europe/Vienna", "Etc/Unknown", "Mars/Olympus", "UTC; drop table"]) {
    expect(await read(zone)).toBeUndefined();
  }
});

describe("texts", () => {
  const faultOf = async (name: string, input: object) => {
    const outcome = await callProcedure(name, context, input);
    return outcome.ok ? "answered" : outcome.fault;
  };

  test.each([
    ["models.detail", "id", 128, {}],
    ["profile.update", "timeZone", 64, {}],
    ["profile.update", "name", 200, {}],
    ["auth.verifyEmail", "token", 256, {}],
    ["auth.verifyHere", "token", 256, {}],
    ["auth.login", "password", 512, { email: "nobody@example.com" }],
  ])("%s takes a %s of %d characters and not one more", async (name, field, most, more) => {
    const ask = (chars: number) => faultOf(name, { ...more, [field]: "x".repeat(chars) });
    expect(await ask(most + 1)).toBe("string_above_max_length");
    expect(await ask(most)).not.toBe("string_above_max_length");
  });

  test("an empty token or password is too short", async () => {
    expect(await faultOf("auth.verifyEmail", { token: "" })).toBe("string_below_min_length");
    const empty = { email: "nobody@example.com", password: "" };
    expect(await faultOf("auth.login", empty)).toBe("string_below_min_length");
  });

  test("a field that is not known is named with where it is", async () => {
    const limits = { spendLimitsUsd: { year: "10" } };
    const input = { name: "key", limits, attemptId: newId<ApiKeyId>() };
    expect(await refusedField("keys.create", input)).toBe("limits.spendLimitsUsd.year");
    expect(await refusedField("keys.list", { surprise: 1 })).toBe("surprise");
  });

  test("an anonymous caller is reported as such, a signed-in person gets their own name", async () => {
    expect(await callProcedure("auth.me", await api.contextOf(undefined), undefined)).toEqual({
      ok: true,
      value: null,
    });
    expect(await callProcedure("auth.me", context, undefined)).toMatchObject({
      value: { person: { email: expect.stringContaining("@example.com") }, account: {} },
    });
  });
});
