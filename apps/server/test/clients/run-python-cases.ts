// Runs the cases of a Python client, all or those named, in a prepared environment against the server of a test.
import { join } from "node:path";
import { type JsonObject, openAccount, type TestServer } from "../harness/index.ts";
import { runPython } from "./run-python.ts";

/** A client has its cases in the file of its name. */
export type PythonClient =
  | "openai-python"
  | "openai-agents"
  | "openrouter-python"
  | "pydantic-ai"
  | "cohere"
  | "mistralai"
  | "google-genai"
  | "google-genai-interactions"
  | "langchain-google";

export type PythonRun = {
  /** The interpreter of the environment. */
  readonly path: string;
  readonly key: string;
  /** Pays for the case `retries`. */
  readonly retryKey?: string;
  /** Default: all that the version has. */
  readonly cases?: readonly string[];
};

/** One object per case: its `name`, and its `problem` or null. */
export async function runPythonCases(
  server: TestServer,
  client: PythonClient,
  { path, key, retryKey = key, cases = [] }: PythonRun,
): Promise<readonly JsonObject[]> {
  const poor = await openAccount(server, { usd: "0" });
  return runPython({
    path,
    script: join(import.meta.dir, `${client}-cases.py`),
    words: cases,
    environment: {
      SERVER_URL: server.url,
      OPENAI_BASE_URL: server.baseUrl,
      OPENAI_API_KEY: key,
      POOR_KEY: poor.key,
      RETRY_KEY: retryKey,
    },
  });
}
