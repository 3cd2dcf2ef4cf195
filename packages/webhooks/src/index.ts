// Webhooks out, by the Standard Webhooks specification: endpoints of an account, the sender, and its log.
export {
  createEndpoint,
  deleteEndpoint,
  type EndpointInput,
  revealSecret,
  rotateSecret,
  setEndpointDisabled,
  updateEndpoint,
  webhookEndpointsMax,
} from "./change-endpoints.ts";
export { disableEndpointsOf } from "./disable-endpoints-of.ts";
export { openWebhookSender } from "./open-webhook-sender.ts";
export { purgeWebhooks } from "./purge-webhooks.ts";
export {
  type ListedEndpoint,
  type ListedMessage,
  listEndpoints,
  listMessages,
  type MessageDetail,
  type MessagePage,
  queryMessage,
} from "./query-webhooks.ts";
export { requireEnabled, sendAgain, sendTest } from "./send-again.ts";
export { formatEventId } from "./sign-webhook.ts";
export { listFailingEndpoints, type MessageFacts, webhookQueue } from "./webhook-queue.ts";
export type { Lookup, Webhooks } from "./webhooks.ts";
