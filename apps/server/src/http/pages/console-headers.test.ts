// What the console's headers promise if the public URL is https, and what they omit if it is
// not.
import { expect, test } from "bun:test";
import { readConfig } from "../../config.ts";
import { consoleHeaders } from "./console-headers.ts";

function configAt(publicUrl: string) {
  const database = "postgres://turnpike@127.0.0.1:1/turnpike";
  return readConfig({ NODE_ENV: "test", PUBLIC_URL: publicUrl, DATABASE_URL: database });
}

test("with https, reports go to their own endpoint", () => {
  const headers = consoleHeaders(configAt("https://turnpike.example"));
  expect(headers["reporting-endpoints"]).toBe('csp="https://turnpike.example/console/csp-report"');
  expect(headers["content-security-policy"]).toEndWith("; report-to csp");
});

test("with plain http nothing is promised that only https can keep", () => {
  const headers = consoleHeaders(configAt("http://127.0.0.1:3000"));
  expect(headers).not.toHaveProperty("reporting-endpoints");
  expect(headers["content-security-policy"]).not.toContain("report-to");
  expect(headers["content-security-policy"]).toContain("script-src 'self'");
});

test("images and audio come from the page itself, and only the page may ask for the microphone", () => {
  const headers = consoleHeaders(configAt("https://turnpike.example"));
  const directives = (headers["content-security-policy"] ?? "").split("; ");
  expect(directives).toContain("img-src 'self' data: blob:");
  expect(directives).toContain("media-src blob:");
  const withBlobs = directives.filter((directive) => directive.includes("blob:"));
  expect(withBlobs.map((directive) => directive.split(" ")[0])).toEqual(["img-src", "media-src"]);
  expect(headers["permissions-policy"]).toContain("microphone=(self)");
  expect(headers["permissions-policy"]).toContain("camera=()");
});
