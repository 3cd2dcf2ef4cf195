// The client for the server's procedures: same origin, batched. Only types are imported from the server's
// packages.
import { createTRPCClient, httpBatchLink } from "@trpc/client";
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@turnpike/api";
import { batchCallsMax } from "@turnpike/terms";
import { accountHeaders } from "./account-address.ts";
import { stepUpLink } from "./step-up/step-up-link.ts";

/** `Answers["wallet"]["summary"]` is what that procedure answers. */
export type Answers = inferRouterOutputs<AppRouter>;
/** `Inputs["keys"]["create"]` is what that procedure takes. */
export type Inputs = inferRouterInputs<AppRouter>;

export const api = createTRPCClient<AppRouter>({
  links: [
    stepUpLink,
    httpBatchLink({ url: "/trpc", maxItems: batchCallsMax, headers: accountHeaders }),
  ],
});
