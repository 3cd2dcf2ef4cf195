// The front door: connect, migrate, listen, and the tables.
export {
  abandonConnection,
  arrayLiteral,
  type Connection,
  type ConnectOptions,
  connectDatabase,
  type Db,
  elementsOf,
  isConnectionError,
  markPooled,
  readErrorCode,
  type Sql,
} from "./connect.ts";
export { type ChannelListener, listenChannel } from "./listen-channel.ts";
export { migrate } from "./migrate.ts";
export { openOutboxStore, purgeOutbox } from "./outbox-store.ts";
export { preparePartitions } from "./prepare-partitions.ts";
export { queueMail } from "./queue-mail.ts";
export {
  accountMoney,
  accounts,
  apiKeys,
  appliedCatalogs,
  type Book,
  books,
  devices,
  emailTokens,
  entries,
  instances,
  jobRuns,
  type KeyChangeColumns,
  keyChanges,
  keyMoney,
  leases,
  ledgerTransactions,
  memberships,
  outbox,
  persons,
  prices,
  type RequestAttempt,
  type RequestState,
  requestStates,
  requests,
  sessions,
  stripeInbox,
  type TopUpState,
  throttles,
  topUpStates,
  topUps,
} from "./schema/index.ts";
