export { apiKeys } from "./api-keys.ts";
export { type Book, books, entries, instances, ledgerTransactions } from "./ledger.ts";
export { accounts, memberships, persons } from "./people.ts";
export { prices } from "./prices.ts";
export { type RequestAttempt, type RequestState, requestStates, requests } from "./requests.ts";
