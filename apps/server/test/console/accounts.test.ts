// Sign-up over HTTP, and that it reveals nothing about existing accounts.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { at, startTestServer, type TestServer } from "../harness/index.ts";
import {
  type Answer,
  faultOf,
  openBrowser,
  password,
  readMails,
  signUp,
  tokenIn,
} from "./browser.fixture.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ environment: { THROTTLE_SCALE: "1000" } });
});
afterAll(() => server.close());

test("a new person registers, is refused until the emailed link is used, signs in and out", async () => {
  const browser = openBrowser(server.url);
  const email = "ada@example.com";
  expect((await browser.query("auth.me")).data).toBeNull();
  expect((await browser.mutate("auth.register", { email, password })).data).toEqual({});
  expect(faultOf(await browser.mutate("auth.login", { email, password }))).toBe(
    "email_not_verified",
  );
  expect([...browser.cookies.keys()]).toEqual(["turnpike_registration"]);

  const [mail] = await readMails(server.url, email);
  expect(mail?.kind).toBe("verify_email");
  const token = tokenIn(mail);
  const verified = await browser.mutate("auth.verifyEmail", { token, password });
  expect(verified.data).toEqual({ status: "verified", email });
  const again = await browser.mutate("auth.verifyEmail", { token, password });
  expect(again.data).toEqual({ status: "already_verified", email });
  expect([...browser.cookies.keys()]).toEqual(["turnpike_registration"]);

  expect((await browser.mutate("auth.login", { email, password })).status).toBe(200);
  const me = await browser.query("auth.me");
  expect(me.data).toMatchObject({
    person: { email, name: "", timeZone: "" },
    account: { role: "owner" },
  });
  expect((await browser.mutate("auth.logout")).data).toEqual({});
  expect((await browser.query("auth.me")).data).toBeNull();
  expect(faultOf(await browser.query("sessions.list"))).toBe("unauthenticated");
});

test("a session that is ended elsewhere is refused at its next request", async () => {
  const laptop = openBrowser(server.url);
  const phone = openBrowser(server.url);
  await signUp(laptop, server.url, "two-devices@example.com");
  await phone.mutate("auth.login", { email: "two-devices@example.com", password });
  const { data } = await laptop.query("sessions.list");
  if (!Array.isArray(data)) throw new Error("No list of sessions.");
  const other = data.find((session) => !at(session, "current"));
  expect(at(other, "device")).toBe("Firefox on Linux");
  expect((await laptop.mutate("sessions.end", { id: at(other, "id") })).status).toBe(200);
  expect((await phone.query("sessions.list")).status).toBe(401);
  expect((await laptop.query("sessions.list")).status).toBe(200);
});

test("a password change signs every other browser out, and this one stays in", async () => {
  const laptop = openBrowser(server.url);
  const phone = openBrowser(server.url);
  await signUp(laptop, server.url, "changer@example.com");
  await phone.mutate("auth.login", { email: "changer@example.com", password });
  const before = laptop.cookies.get("turnpike_session");
  const change = { currentPassword: password, newPassword: "a fresh long secret" };
  expect((await laptop.mutate("profile.changePassword", change)).status).toBe(200);
  expect(laptop.cookies.get("turnpike_session")).not.toBe(before);
  expect((await laptop.query("sessions.list")).status).toBe(200);
  expect(faultOf(await phone.query("sessions.list"))).toBe("unauthenticated");
  expect((await phone.query("auth.me")).data).toBeNull();
});

describe("known and unknown addresses", () => {
  /** Everything that a caller can see of an answer, except the request id. */
  function visible({ status, headers, text }: Answer) {
    const shown = [...headers]
      .filter(([name]) => name !== "x-request-id" && name !== "date")
      // Each registration gets a cookie of its own.
      .map(([name, value]) => [name, value.replace(/(turnpike_registration=)[^;]+/, "$1")]);
    return { status, headers: shown, text: text.replace(/req_\w+/g, "req_") };
  }

  test("look the same at every form", async () => {
    const known = "known@example.com";
    await signUp(openBrowser(server.url), server.url, known);
    const forms: readonly (readonly [string, Record<string, string>])[] = [
      ["auth.register", { password: "another password entirely" }],
      ["auth.resendVerification", {}],
      ["auth.forgotPassword", {}],
      ["auth.login", { password: "not the right password" }],
    ];
    for (const [name, fields] of forms) {
      const anonymous = openBrowser(server.url);
      const first = await anonymous.mutate(name, { email: known, ...fields });
      const second = await anonymous.mutate(name, { email: `un${known}`, ...fields });
      expect(visible(second)).toEqual(visible(first));
      const set = name === "auth.register" ? ["turnpike_registration"] : [];
      expect([...anonymous.cookies.keys()]).toEqual(set);
    }
  });
});

test("invalid names, addresses and passwords are refused and not stored", async () => {
  const browser = openBrowser(server.url);
  await signUp(browser, server.url, "careful@example.com");
  const refused = async (name: string, input: unknown) =>
    faultOf(await browser.mutate(name, input));
  expect(await refused("profile.update", { name: "a\u0000b" })).toBe("invalid_value");
  expect(await refused("profile.update", { name: "a\nb" })).toBe("invalid_value");
  expect(await refused("profile.update", { name: "x".repeat(101) })).toBe("invalid_value");
  expect(await refused("profile.update", { name: "x".repeat(1_000_000) })).toBe(
    "request_too_large",
  );
  expect(await refused("profile.update", { name: 7 })).toBe("invalid_type");
  expect(await refused("profile.update", { timeZone: "Mars/Olympus" })).toBe("invalid_value");
  expect(await refused("profile.update", { __proto__: null, role: "admin" })).toBe(
    "unknown_parameter",
  );
  expect(await refused("auth.register", { email: "x@y.z\u0000", password })).toBe("invalid_value");
  expect(await refused("auth.register", { email: "a@example.com", password: "short" })).toBe(
    "string_below_min_length",
  );
  const html = `<script>alert(1)</script>`;
  expect((await browser.mutate("profile.update", { name: html })).status).toBe(200);
  expect(at((await browser.query("auth.me")).data, "person.name")).toBe(html);
});

test("the public configuration needs no session", async () => {
  const { data } = await openBrowser(server.url).query("config.public");
  expect(data).toMatchObject({ productName: "Turnpike", currency: "USD", passwordMinLength: 12 });
  expect(at(data, "apiBaseUrl")).toEndWith("/v1");
});
