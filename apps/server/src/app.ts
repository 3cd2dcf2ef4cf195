// Registers the routes on one Elysia app. The error hook comes first, or errors of routes
// registered before it would get Elysia's own answers.
import { Elysia } from "elysia";
import { registerAccount } from "./http/account.ts";
import { registerAuthCallback } from "./http/auth-callback.ts";
import { openManagementAuthenticator } from "./http/authenticate-management.ts";
import { openAuthenticator } from "./http/authenticate-request.ts";
import { openVisitors } from "./http/authenticate-visitor.ts";
import { registerChatCompletions } from "./http/chat-completions.ts";
import { registerCompletions } from "./http/completions.ts";
import { openConsoleAssets } from "./http/console-assets.ts";
import { registerCspReport } from "./http/csp-report.ts";
import { registerDemo } from "./http/demo.ts";
import { registerDevMail } from "./http/dev-mail.ts";
import { registerEmbeddings } from "./http/embeddings.ts";
import { registerEstimate } from "./http/estimate.ts";
import { registerExport } from "./http/export.ts";
import { fillDocs } from "./http/fill-docs.ts";
import { fillPages } from "./http/fill-pages.ts";
import { registerHealth } from "./http/health.ts";
import { registerJwks } from "./http/jwks.ts";
import { registerLeakedKeys } from "./http/leaked-keys.ts";
import { registerLegal } from "./http/legal.ts";
import { isLoopback } from "./http/limit-connections.ts";
import { registerManagement } from "./http/management.ts";
import { registerMessages } from "./http/messages.ts";
import { registerModels } from "./http/models.ts";
import { registerOpenApi } from "./http/openapi.ts";
import { registerPlayground } from "./http/playground.ts";
import { proxyConsole } from "./http/proxy-console.ts";
import { registerResponses } from "./http/responses.ts";
import { registerSandboxCheckout } from "./http/sandbox-checkout.ts";
import { registerSecurityTxt } from "./http/security-txt.ts";
import { registerStatus } from "./http/status.ts";
import { registerStripeWebhook } from "./http/stripe-webhook.ts";
import { registerTrpc } from "./http/trpc.ts";
import { answerThrown, registerUnknown, type ServeConsole } from "./http/unknown-url.ts";
import type { App, HttpListener } from "./listen.ts";
import type { Services } from "./services.ts";

export type AppContext = HttpListener & { readonly state: { readonly draining: boolean } };

/** Its routes are known, so that what is promised for each of them is tested for each of them. */
export type RoutedApp = App & { readonly routes: readonly { readonly path: string }[] };

export function createApp(services: Services, context: AppContext): RoutedApp {
  // Elysia looks for the path behind the host, which may have one letter (see check-target.ts).
  const app = new Elysia({ precompile: true, handler: { standardHostname: false } });
  app.onError(({ error, request }) => answerThrown(services, request, error));
  const peerOf = (request: Request) => context.server().requestIP(request)?.address ?? "";
  const { addressOf } = context;
  const authenticator = openAuthenticator(services, addressOf);
  const { authenticate } = authenticator;
  const authenticateManagement = openManagementAuthenticator(services, addressOf);
  const visitors = openVisitors(services, addressOf);
  const calls = { services, ...authenticator, listener: context };
  registerChatCompletions(app, calls);
  registerResponses(app, calls);
  registerCompletions(app, calls);
  registerEstimate(app, calls);
  registerEmbeddings(app, calls);
  registerMessages(app, calls);
  registerModels(app, services, authenticate, addressOf);
  registerAccount(app, services, authenticate, authenticateManagement);
  registerLeakedKeys(app, services, addressOf);
  registerManagement(app, services, addressOf, authenticateManagement);
  registerOpenApi(app, services);
  registerPlayground(app, calls, visitors);
  registerDemo(app, calls);
  registerExport(app, services, addressOf, visitors);
  registerHealth(app, services, {
    // A proxy on this machine forwards requests of anyone, whether it is configured as trusted or not.
    isLoopback: (request) =>
      isLoopback(peerOf(request)) && request.headers.get("x-forwarded-for") === null,
    draining: () => context.state.draining,
    addressOf,
  });
  registerTrpc(app, services, addressOf, visitors);
  registerAuthCallback(app, services, addressOf, visitors);
  registerStripeWebhook(app, services, addressOf);
  registerDevMail(app, services);
  registerSandboxCheckout(app, services);
  registerCspReport(app, services);
  registerSecurityTxt(app, services);
  registerLegal(app, services.config);
  registerJwks(app, services);
  registerStatus(app, services);
  registerUnknown(app, services, openConsole(services));
  return app;
}

function openConsole({ config, log, catalog }: Services): ServeConsole | undefined {
  const { CONSOLE_DEV_URL } = config;
  const serve =
    CONSOLE_DEV_URL === undefined
      ? openConsoleAssets(config)
      : proxyConsole(config, CONSOLE_DEV_URL);
  if (serve === undefined) log.warn("the console is not built: run `bun run build` to serve it");
  if (serve === undefined) return undefined;
  const models = () => catalog.current.models;
  return fillPages(
    fillDocs(serve, config, () => models().values()),
    config,
    models,
  );
}
