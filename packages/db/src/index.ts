export {
  abandonConnection,
  type Connection,
  type ConnectOptions,
  connectDatabase,
  type Db,
  isConnectionError,
  readErrorCode,
  type Sql,
} from "./connect.ts";
export { type ChannelListener, listenChannel } from "./listen-channel.ts";
export { migrate } from "./migrate.ts";
export {
  accounts,
  apiKeys,
  type Book,
  books,
  entries,
  instances,
  ledgerTransactions,
  memberships,
  persons,
  prices,
  type RequestAttempt,
  type RequestState,
  requestStates,
  requests,
} from "./schema/index.ts";
