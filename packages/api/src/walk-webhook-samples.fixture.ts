// The samples of the webhook procedures, for the test that walks the router.
import type { Sample } from "./walk-sample.fixture.ts";

const owned = { id: "owned" } as const;
/** Resolved by nobody: the tests allow private addresses. */
const endpoint = {
  url: "http://127.0.0.1:9/hooks",
  description: "walker",
  eventTypes: ["key.created"],
};

export const webhookSamples: Readonly<Record<string, Sample>> = {
  "webhooks.list": {},
  "webhooks.create": { input: () => endpoint },
  "webhooks.update": { input: ({ endpointId: id }) => ({ id, ...endpoint }), ids: owned },
  "webhooks.setDisabled": {
    input: ({ endpointId: id }) => ({ id, disabled: true }),
    ids: owned,
  },
  "webhooks.delete": { input: ({ endpointId: id }) => ({ id }), ids: owned },
  "webhooks.rotateSecret": {
    input: ({ endpointId: id }) => ({ id, overlapHours: 24 }),
    ids: owned,
    stepUp: "always",
  },
  "webhooks.revealSecret": {
    input: ({ endpointId: id }) => ({ id }),
    ids: owned,
    stepUp: "always",
  },
  "webhooks.messages": { input: ({ endpointId: id }) => ({ id }), ids: owned },
  "webhooks.message": { input: ({ messageId: id }) => ({ id }), ids: owned },
  "webhooks.sendAgain": { input: ({ messageId: id }) => ({ id }), ids: owned },
  "webhooks.sendTest": { input: ({ endpointId: id }) => ({ id }), ids: owned },
};
