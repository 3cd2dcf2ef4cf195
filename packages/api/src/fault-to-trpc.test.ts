// What the console reads about calls that tRPC or the schema of an input refuses.
import { expect, test } from "bun:test";
import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { faultOf } from "./fault-to-trpc.ts";

test.each([
  ["PARSE_ERROR", "invalid_json", "The body of this request is not valid JSON."],
  ["BAD_REQUEST", "malformed_request", "This request could not be understood."],
  ["NOT_FOUND", "unknown_url", "There is no such procedure."],
  ["METHOD_NOT_SUPPORTED", "method_not_supported", "This procedure is called by another method."],
  ["UNSUPPORTED_MEDIA_TYPE", "unsupported_media_type", "Send the body as application/json."],
  ["PAYLOAD_TOO_LARGE", "request_too_large", "This request is too large."],
] as const)("what tRPC refuses as %s is %s, in our own words", (code, fault, message) => {
  const refused = faultOf(new TRPCError({ code, message: "tRPC's own words" }));
  expect([refused.code, refused.message]).toEqual([fault, message]);
});

const schema = z.strictObject({
  count: z.number().min(2).max(4).optional(),
  text: z.string().min(2).max(4).optional(),
  list: z.array(z.string()).min(1).max(2).optional(),
});

test.each([
  [{ count: "3" }, "invalid_type", "Expected number."],
  [{ text: "12345" }, "string_above_max_length", "Use at most 4 characters."],
  [{ text: "1" }, "string_below_min_length", "Use at least 2 characters."],
  [{ count: 5 }, "invalid_value", "Too big: expected number to be <=4"],
  [{ count: 1 }, "invalid_value", "Too small: expected number to be >=2"],
  [{ list: ["a", "b", "c"] }, "invalid_value", "Too big: expected array to have <=2 items"],
  [{ list: [] }, "invalid_value", "Too small: expected array to have >=1 items"],
])("the input %j is refused by its field as %s", (input, code, message) => {
  const { error } = schema.safeParse(input);
  const refused = faultOf(new TRPCError({ code: "BAD_REQUEST", cause: error }));
  expect([refused.code, refused.message]).toEqual([code, message]);
  expect(refused.details.param).toBe(Object.keys(input)[0]);
});
