// The client for the text of a catalog, which is too long for an address: a query is sent as a POST, on its own.
import { createTRPCClient, httpLink } from "@trpc/client";
import type { AppRouter } from "@turnpike/api";
import { stepUpLink } from "../../lib/step-up/step-up-link.ts";

export const catalogApi = createTRPCClient<AppRouter>({
  links: [stepUpLink, httpLink({ url: "/trpc", methodOverride: "POST" })],
}).operator.catalog;
