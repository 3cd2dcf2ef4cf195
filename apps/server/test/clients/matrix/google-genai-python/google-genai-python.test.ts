// Google's official Python package, from its own virtual environment against the running server: whole answers, streams, chats,
// functions that it calls itself, thoughts, media, counts, embeddings, the list of models and errors.
import { expect, test } from "bun:test";
import { preparePython } from "@turnpike/testing";
import { expectCleanBooks, startTestServer, useServer } from "../../../harness/index.ts";
import { storedEnvironment } from "../../../stored/use-stored.fixture.ts";
import { runPythonCases } from "../../run-python-cases.ts";

const { server, account } = await useServer(startTestServer({ environment: storedEnvironment }));

const python = await preparePython("google-genai-3.6.1");
if (python.kind === "absent") console.log(`skipped: google-genai-3.6.1 (${python.reason})`);

test.skipIf(python.kind === "absent")("every case of google-genai-3.6.1 passes", async () => {
  if (python.kind === "absent") return;
  const { path } = python;
  const results = await runPythonCases(server, "google-genai", { path, key: account.key });
  expect(results.filter(({ problem }) => problem !== null)).toEqual([]);
  expect(results).toHaveLength(13);
  await expectCleanBooks(server);
});

test.skipIf(python.kind === "absent")("every case of its Interactions API passes", async () => {
  if (python.kind === "absent") return;
  const run = { path: python.path, key: account.key };
  const results = await runPythonCases(server, "google-genai-interactions", run);
  expect(results.filter(({ problem }) => problem !== null)).toEqual([]);
  expect(results).toHaveLength(10);
  await expectCleanBooks(server);
});
