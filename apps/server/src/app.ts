// Mounts the doors on one Elysia app. The error hook comes first, or routes mounted before it would
// answer in Elysia's own words.
import { Elysia } from "elysia";
import { registerAccount } from "./http/account.ts";
import { answerThrown } from "./http/answer-fault.ts";
import { openAuthenticator } from "./http/authenticate-request.ts";
import { registerCompletions } from "./http/completions.ts";
import { type ConsoleDoor, openConsoleAssets } from "./http/console-assets.ts";
import { mountCspReport } from "./http/csp-report.ts";
import { mountDevMail } from "./http/dev-mail.ts";
import { fillDocs } from "./http/fill-docs.ts";
import { mountHealth } from "./http/health.ts";
import { isLoopback } from "./http/limit-connections.ts";
import { registerModels } from "./http/models.ts";
import { registerPlayground } from "./http/playground.ts";
import { proxyConsole } from "./http/proxy-console.ts";
import { mountSandboxCheckout } from "./http/sandbox-checkout.ts";
import { mountSecurityTxt } from "./http/security-txt.ts";
import { mountStripeWebhook } from "./http/stripe-webhook.ts";
import { mountTrpc } from "./http/trpc.ts";
import { mountUnknown } from "./http/unknown-url.ts";
import type { Listener } from "./listen.ts";
import type { Services } from "./services.ts";

export type App = { readonly fetch: (request: Request) => Response | Promise<Response> };

export type Surroundings = Listener & { readonly state: { readonly draining: boolean } };

export function createApp(services: Services, surroundings: Surroundings): App {
  // Elysia looks for the path behind the host, which may have one letter (see check-target.ts).
  const app = new Elysia({ precompile: true, handler: { standardHostname: false } });
  app.onError(({ error, request }) => answerThrown(services, request, error));
  const peerOf = (request: Request) => surroundings.server().requestIP(request)?.address ?? "";
  const { addressOf } = surroundings;
  const authenticate = openAuthenticator(services, addressOf);
  registerCompletions(app, services, authenticate, surroundings);
  registerModels(app, services, authenticate);
  registerAccount(app, services, authenticate);
  registerPlayground(app, services, surroundings);
  mountHealth(app, services, {
    // A proxy on this machine speaks for the world, whether we were told to trust it or not.
    isLoopback: (request) =>
      isLoopback(peerOf(request)) && request.headers.get("x-forwarded-for") === null,
    draining: () => surroundings.state.draining,
  });
  mountTrpc(app, services, addressOf);
  mountStripeWebhook(app, services);
  mountDevMail(app, services);
  mountSandboxCheckout(app, services);
  mountCspReport(app, services);
  mountSecurityTxt(app, services);
  mountUnknown(app, services, openConsole(services));
  return app;
}

function openConsole({ config, log, catalog }: Services): ConsoleDoor | undefined {
  const { CONSOLE_DEV_URL } = config;
  const door =
    CONSOLE_DEV_URL === undefined
      ? openConsoleAssets(config)
      : proxyConsole(config, CONSOLE_DEV_URL);
  if (door === undefined) log.warn("the console is not built: run `bun run build` to serve it");
  return door && fillDocs(door, config, () => catalog.current().models.values());
}
