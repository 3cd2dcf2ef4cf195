// The endpoints of an account.
import type { Answers } from "../../../lib/api.ts";

export const webhooksKey = ["webhooks"] as const;
export const endpointsKey = [...webhooksKey, "list"] as const;

export type Endpoint = Answers["webhooks"]["list"]["endpoints"][number];
