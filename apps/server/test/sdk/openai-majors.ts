// The official `openai` package in the majors that are in use, under the types of the newest.
import OpenAI7 from "openai";
import OpenAI4 from "openai-4";
import OpenAI6 from "openai-6";

type Sdk = typeof OpenAI7;

/** The older majors have every member that the tests use; what differs in their types is not used. */
function asNewest(older: typeof OpenAI4 | typeof OpenAI6): Sdk {
  return older as unknown as Sdk;
}

export const majors: readonly (readonly [string, Sdk])[] = [
  ["7", OpenAI7],
  ["6", asNewest(OpenAI6)],
  ["4", asNewest(OpenAI4)],
];
