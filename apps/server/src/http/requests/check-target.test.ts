import { expect, test } from "bun:test";
import { createTargetCheck } from "./check-target.ts";

const check = createTargetCheck({
  NODE_ENV: "production",
  HOST: "0.0.0.0",
  PUBLIC_URL: "https://turnpike.example",
  allowedHosts: [],
  METRICS_TOKEN: undefined,
});

const url = "http://turnpike.example/v1/models";

function refusalOf(target: string, host: string, method = "GET"): string {
  return check(new Request(target, { method, headers: { host } }))?.code ?? "accepted";
}

test("a URL that was accepted stays accepted, and only for its own host and known methods", () => {
  for (let n = 0; n < 3; n += 1) {
    expect(refusalOf(url, "turnpike.example")).toBe("accepted");
    expect(refusalOf(url, "evil.example")).toBe("malformed_request");
    expect(refusalOf(url, "turnpike.example", "PROPFIND")).toBe("method_not_supported");
  }
});

test("a URL that was refused stays refused", () => {
  for (let n = 0; n < 3; n += 1) {
    expect(refusalOf("http://evil.example/v1/models", "evil.example")).toBe("malformed_request");
  }
});

test("URLs beyond those that are remembered are checked like the first", () => {
  for (let n = 0; n < 1_000; n += 1) {
    expect(refusalOf(`${url}/${n}`, "turnpike.example")).toBe("accepted");
    expect(refusalOf(`http://evil.example/${n}`, "evil.example")).toBe("malformed_request");
  }
  expect(refusalOf(url, "turnpike.example")).toBe("accepted");
});

test("a caller cannot make the server remember URLs without end", () => {
  const long = "x".repeat(8_000);
  Bun.gc(true);
  const before = process.memoryUsage().heapUsed;
  for (let n = 0; n < 8_000; n += 1) {
    expect(refusalOf(`${url}/${long}${n}`, "turnpike.example")).toBe("accepted");
  }
  Bun.gc(true);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(16 * 1024 * 1024);
});
