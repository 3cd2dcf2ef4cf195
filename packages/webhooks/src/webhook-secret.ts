// The secret that an endpoint verifies messages with: `whsec_` and 32 random bytes, shown to members who may
// change webhooks and stored sealed, because every message is signed with it.

import { randomBytes } from "node:crypto";
import type { Sealer, WebhookEndpointId } from "@turnpike/base";

const secretBytes = 32;

export function makeSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString("base64")}`;
}

export function sealSecret(sealer: Sealer, id: WebhookEndpointId, secret: string): Uint8Array {
  return sealer.seal(placeOf(id), secret);
}

/** Throws SealBroken. */
export function openSecret(sealer: Sealer, id: WebhookEndpointId, sealed: Uint8Array): string {
  return sealer.open(placeOf(id), sealed);
}

/** Bound to its endpoint: the secret of one does not open in the row of another. */
function placeOf(id: WebhookEndpointId): string {
  return `webhook_endpoints ${id}`;
}
