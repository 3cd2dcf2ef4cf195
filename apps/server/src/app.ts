// Registers the routes on one Elysia app. The error hook comes first, or errors of routes
// registered before it would get Elysia's own answers.
import { Elysia } from "elysia";
import { registerBatches } from "./http/batches/register-batches.ts";
import { registerMessageBatches } from "./http/batches/register-message-batches.ts";
import { createManagementAuthenticator } from "./http/callers/authenticate-management.ts";
import { createAuthenticator } from "./http/callers/authenticate-request.ts";
import { createVisitors } from "./http/callers/authenticate-visitor.ts";
import { createGeminiCall } from "./http/calls/gemini.ts";
import { registerCalls } from "./http/calls/register-calls.ts";
import { registerAuthCallback } from "./http/console/auth-callback.ts";
import { registerDemo } from "./http/console/demo.ts";
import { registerExport } from "./http/console/export.ts";
import { registerFileContent } from "./http/console/file-content.ts";
import { registerPlayground } from "./http/console/playground.ts";
import { registerTrpc } from "./http/console/trpc.ts";
import { registerStripeWebhook } from "./http/events/stripe-webhook.ts";
import { createFileAccess } from "./http/files/find-file-access.ts";
import { registerFiles } from "./http/files/register-files.ts";
import { registerAccount } from "./http/lookups/account.ts";
import { registerModels } from "./http/lookups/models.ts";
import { registerLeakedKeys } from "./http/management/leaked-keys.ts";
import { registerManagement } from "./http/management/management.ts";
import { createConsoleAssets } from "./http/pages/console-assets.ts";
import { registerCspReport } from "./http/pages/csp-report.ts";
import { fillDocs } from "./http/pages/fill-docs.ts";
import { fillPages } from "./http/pages/fill-pages.ts";
import { proxyConsole } from "./http/pages/proxy-console.ts";
import { registerHealth } from "./http/public/health.ts";
import { registerJwks } from "./http/public/jwks.ts";
import { registerLegal } from "./http/public/legal.ts";
import { registerOpenApi } from "./http/public/openapi.ts";
import { registerSecurityTxt } from "./http/public/security-txt.ts";
import { registerStatus } from "./http/public/status.ts";
import { isLoopback } from "./http/requests/limit-connections.ts";
import { answerThrown, registerUnknown, type ServeConsole } from "./http/routes/unknown-url.ts";
import { registerRunStreams } from "./http/runs/register-run-streams.ts";
import { registerDevMail } from "./http/sandbox/dev-mail.ts";
import { registerSandboxCheckout } from "./http/sandbox/sandbox-checkout.ts";
import { registerConversations } from "./http/stored/register-conversations.ts";
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
  const authenticator = createAuthenticator(services, addressOf);
  const { authenticate } = authenticator;
  const authenticateManagement = createManagementAuthenticator(services, addressOf);
  const visitors = createVisitors(services, addressOf);
  const calls = { services, ...authenticator, listener: context };
  registerCalls(app, calls);
  registerModels(app, services, authenticate, addressOf, createGeminiCall(calls));
  registerAccount(app, services, authenticate, authenticateManagement);
  registerRunStreams(app, services, authenticate, context);
  const findFileAccess = createFileAccess(services, authenticate);
  registerFiles(app, services, findFileAccess);
  registerBatches(app, services, findFileAccess);
  // Of Anthropic's API by their path, whatever their clients send.
  const anyAccess = createFileAccess(services, authenticate, () => undefined);
  registerMessageBatches(app, services, anyAccess);
  registerConversations(app, services, authenticate);
  registerLeakedKeys(app, services, addressOf);
  registerManagement(app, services, addressOf, authenticateManagement);
  registerOpenApi(app, services);
  registerPlayground(app, calls, visitors);
  registerDemo(app, calls);
  registerExport(app, services, addressOf, visitors);
  registerFileContent(app, services, visitors);
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
  registerUnknown(app, services, createConsole(services));
  return app;
}

function createConsole({ config, log, catalog }: Services): ServeConsole | undefined {
  const { CONSOLE_DEV_URL } = config;
  const serve =
    CONSOLE_DEV_URL === undefined
      ? createConsoleAssets(config)
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
