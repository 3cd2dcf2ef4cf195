// What the tests of the server share. One server per test file:
//   const { server, account } = await useServer(startTestServer());
export {
  answerWith,
  asObject,
  at,
  chatBody,
  getPath,
  type JsonObject,
  postChat,
  readJson,
  scripted,
  scriptText,
} from "./ask-server.ts";
export { billCheap, usdNumber } from "./bill-cheap.ts";
export { catchError } from "./catch-error.ts";
export { type CountedCalls, countCalls, readCharges, readLastCharge } from "./count-calls.ts";
export { awaitReaped, declareSilent } from "./declare-silent.ts";
export {
  awaitReleased,
  expectCleanBooks,
  recallHeld,
  waitForSettled,
} from "./expect-clean-books.ts";
export { expectCallHeaders, expectFault } from "./expect-fault.ts";
export { findSchemaProblems } from "./find-schema-problems.ts";
export { openAccount, readMoney, type TestAccount, topUp } from "./open-account.ts";
export { postJson } from "./post-json.ts";
export { openConnection, type RawConnection } from "./raw-connection.ts";
export {
  contentOf,
  parseEvents,
  type ReadStream,
  readEvents,
  withoutComments,
} from "./read-events.ts";
export { rawPost, sendRaw } from "./send-raw.ts";
export {
  openTestSite,
  startTestServer,
  type TestServer,
  type TestSite,
} from "./start-test-server.ts";
export { providerKey, testCatalog, testModels } from "./test-catalog.ts";
export { testRetries } from "./test-retries.ts";
export { useServer } from "./use-server.ts";
export { patientTimes, useSpawnedServers } from "./use-spawned-servers.ts";
export { watchRedirects } from "./watch-redirects.ts";
