// The endpoints of an account, and which of their dialogs is open.
import type { Answers } from "../../../lib/api.ts";

export const webhooksKey = ["webhooks"] as const;
export const endpointsKey = [...webhooksKey, "list"] as const;

export type Endpoint = Answers["webhooks"]["list"]["endpoints"][number];

export type EndpointChange =
  | { readonly kind: "add" }
  | { readonly kind: "change" | "rotate" | "delete"; readonly endpoint: Endpoint }
  | { readonly kind: "secret"; readonly secret: string };
