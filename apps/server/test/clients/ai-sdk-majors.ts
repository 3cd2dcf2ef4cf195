// The `ai` package in the major versions in use, with the types of the newest, and the path that each one's gateway provider asks at.
import * as sdk7 from "ai";
import * as sdk5 from "ai-5";
import * as sdk6 from "ai-6";

type Sdk = typeof sdk7;

/** The older versions have every member that the tests use; members whose types differ are not used. */
function asNewest(older: typeof sdk5 | typeof sdk6): Sdk {
  return older as unknown as Sdk;
}

export const majors: readonly (readonly [string, { readonly sdk: Sdk; readonly base: string }])[] =
  [
    ["7", { sdk: sdk7, base: "/v4/ai" }],
    ["6", { sdk: asNewest(sdk6), base: "/v3/ai" }],
    ["5", { sdk: asNewest(sdk5), base: "/v1/ai" }],
  ];
