// The official `openai` package in the major versions in use, with the types of the newest.
import OpenAI7 from "openai";
import OpenAI4 from "openai-4";
import OpenAI6 from "openai-6";

type Sdk = typeof OpenAI7;

/** The older versions have every member that the tests use; members whose types differ are not used. */
function asNewest(older: typeof OpenAI4 | typeof OpenAI6): Sdk {
  return older as unknown as Sdk;
}

export const majors: readonly (readonly [string, Sdk])[] = [
  ["7", OpenAI7],
  ["6", asNewest(OpenAI6)],
  ["4", asNewest(OpenAI4)],
];
