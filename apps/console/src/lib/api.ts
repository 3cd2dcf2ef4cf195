// The client for the server's procedures: same origin, batched. Only types are imported from the server's
// packages.
import { createTRPCClient, httpBatchLink, httpLink, splitLink } from "@trpc/client";
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@turnpike/api";
import { accountHeaders } from "./account-address.ts";
import { stepUpLink } from "./step-up/step-up-link.ts";

/** `Answers["wallet"]["summary"]` is what that procedure answers. */
export type Answers = inferRouterOutputs<AppRouter>;
/** `Inputs["keys"]["create"]` is what that procedure takes. */
export type Inputs = inferRouterInputs<AppRouter>;

/** The server accepts no larger batch. */
const batchMaxCalls = 10;

/** Queries whose input is too long for an address, and mutations whose input is too long for a batch. */
const longInputs: readonly string[] = ["operator.catalog.compare", "operator.catalog.edit"];

export const api = createTRPCClient<AppRouter>({
  links: [
    stepUpLink,
    splitLink({
      condition: ({ path }) => longInputs.includes(path),
      true: httpLink({ url: "/trpc", methodOverride: "POST", headers: accountHeaders }),
      false: httpBatchLink({ url: "/trpc", maxItems: batchMaxCalls, headers: accountHeaders }),
    }),
  ],
});
