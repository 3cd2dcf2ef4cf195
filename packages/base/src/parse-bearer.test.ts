// A key is found wherever an SDK puts it, ambiguity is refused, and refusals repeat nothing that was sent.

import { describe, expect, test } from "bun:test";
import { Fault } from "./fault.ts";
import { parseBearer } from "./parse-bearer.ts";

function faultOf(headers: Headers): Fault {
  try {
    parseBearer(headers);
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown;
    throw thrown;
  }
  throw new Error("accepted");
}

describe("parseBearer", () => {
  test.each([
    [{ authorization: "Bearer k1" }, "k1"],
    [{ authorization: "bearer k1" }, "k1"],
    [{ authorization: "BEARER   k1  " }, "k1"],
    [{ "x-api-key": "k2" }, "k2"],
    [{ "api-key": "k3" }, "k3"],
    [{ "x-goog-api-key": "k4" }, "k4"],
    [{ "x-api-key": "k2", "x-goog-api-key": "k4", "api-key": "k3" }, "k2"],
    [{ authorization: "Bearer k1", "x-api-key": "k2", "api-key": "k3" }, "k1"],
    [{ "x-api-key": "k2", "api-key": "k3" }, "k2"],
    [{ authorization: "Basic dTpw", "x-api-key": "k2" }, "k2"],
    [{ authorization: "Bearer ", "api-key": "k3" }, "k3"],
  ])("%j presents %p", (headers, key) => {
    expect(parseBearer(new Headers(headers))).toBe(key);
  });

  test.each([{}, { authorization: "" }, { authorization: "Bearer" }, { authorization: "Basic x" }])(
    "%j presents no key",
    (headers) => {
      expect(faultOf(new Headers(headers)).code).toBe("missing_api_key");
    },
  );

  test.each(["authorization", "x-api-key", "x-goog-api-key", "api-key"])(
    "two %s headers are refused",
    (name) => {
      const headers = new Headers();
      headers.append(name, "Bearer secret-one");
      headers.append(name, "Bearer secret-two");
      const fault = faultOf(headers);
      expect(fault.code).toBe("malformed_request");
      expect(fault.message).not.toContain("secret");
    },
  );

  test("two Authorization headers are refused even if another header has a key", () => {
    const headers = new Headers({ authorization: "Bearer a, Bearer b", "x-api-key": "k2" });
    expect(faultOf(headers).code).toBe("malformed_request");
  });
});
