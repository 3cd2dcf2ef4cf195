// Mounts the doors on one Elysia app. The error hook comes first, or routes mounted before it would
// answer in Elysia's own words.
import { Elysia } from "elysia";
import { mountAccount } from "./http/account.ts";
import { answerThrown } from "./http/answer-fault.ts";
import { mountHealth } from "./http/health.ts";
import { mountModels } from "./http/models.ts";
import { mountOpenai } from "./http/openai.ts";
import { mountUnknown } from "./http/unknown-url.ts";
import type { Server } from "./listen.ts";
import type { Services } from "./services.ts";

export type App = { readonly fetch: (request: Request) => Response | Promise<Response> };

export type Surroundings = {
  readonly server: () => Server;
  readonly state: { readonly draining: boolean };
};

export function createApp(services: Services, surroundings: Surroundings): App {
  const app = new Elysia({ precompile: true });
  app.onError(({ error, request }) => answerThrown(services, request, error));
  mountOpenai(app, services, surroundings.server);
  mountModels(app, services);
  mountAccount(app, services);
  mountHealth(app, services, {
    isLoopback: (request) => isLoopback(surroundings.server().requestIP(request)?.address),
    draining: () => surroundings.state.draining,
  });
  mountUnknown(app, services);
  return app;
}

function isLoopback(address: string | undefined): boolean {
  return address === "::1" || (address?.replace(/^::ffff:/, "").startsWith("127.") ?? false);
}
