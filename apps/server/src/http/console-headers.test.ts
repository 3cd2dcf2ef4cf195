// What the console's headers promise where the public URL is https, and what they omit where it is
// not.
import { expect, test } from "bun:test";
import { readConfig } from "../config.ts";
import { consoleHeaders, sealAnswers } from "./console-headers.ts";

function configAt(publicUrl: string) {
  const database = "postgres://turnpike@127.0.0.1:1/turnpike";
  return readConfig({ NODE_ENV: "test", PUBLIC_URL: publicUrl, DATABASE_URL: database });
}

test("with https, reports go to their own endpoint and browsers never use http again", () => {
  const config = configAt("https://turnpike.example");
  const headers = consoleHeaders(config);
  expect(headers["reporting-endpoints"]).toBe('csp="https://turnpike.example/console/csp-report"');
  expect(headers["content-security-policy"]).toEndWith("; report-to csp");
  const sealed = sealAnswers(config)(new Response());
  expect(sealed.headers.get("strict-transport-security")).toBe("max-age=31536000");
  expect(sealed.headers.get("x-content-type-options")).toBe("nosniff");
});

test("with plain http nothing is promised that only https can keep", () => {
  const config = configAt("http://127.0.0.1:3000");
  const headers = consoleHeaders(config);
  expect(headers).not.toHaveProperty("reporting-endpoints");
  expect(headers["content-security-policy"]).not.toContain("report-to");
  expect(headers["content-security-policy"]).toContain("script-src 'self'");
  const sealed = sealAnswers(config)(new Response());
  expect(sealed.headers.get("strict-transport-security")).toBeNull();
  expect(sealed.headers.get("x-content-type-options")).toBe("nosniff");
});
