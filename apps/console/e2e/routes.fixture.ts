// All pages, for tests and screenshots that visit every one.
import { models } from "./catalog.fixture.ts";
import type { Member } from "./member.fixture.ts";
import type { SeededHistory } from "./seed-history.fixture.ts";

export type Route = { readonly name: string; readonly path: string };

const comparison = `/models/compare?ids=${models.large},${models.mini}`;

/** Public pages. */
export const publicRoutes: readonly Route[] = [
  { name: "landing", path: "/" },
  { name: "login", path: "/login" },
  { name: "register", path: "/register" },
  { name: "forgot-password", path: "/forgot-password" },
  { name: "reset-password", path: "/reset-password?token=used" },
  { name: "verify-email", path: "/verify-email" },
  { name: "verify-email-link", path: "/verify-email?token=used" },
  { name: "confirm-email", path: "/confirm-email?token=used" },
  { name: "undo-change", path: "/undo-change?token=used" },
  { name: "recover-factors", path: "/recover-factors?cancel=used" },
  { name: "unlock", path: "/unlock?token=used" },
  { name: "join", path: "/join?token=used" },
  { name: "models", path: "/models" },
  { name: "model", path: `/models/${models.large}` },
  { name: "compare-models", path: comparison },
  { name: "docs", path: "/docs" },
  { name: "docs-errors", path: "/docs/errors" },
  { name: "docs-reference", path: "/docs/reference#post-chat-completions" },
  { name: "status", path: "/status" },
  { name: "terms", path: "/legal/terms" },
  { name: "not-found", path: "/no/such/page" },
];

/** Pages of operators, about a customer with a seeded history. */
export async function operatorRoutes(
  operator: Member,
  customer: Member,
  { goodRequest }: SeededHistory,
): Promise<readonly Route[]> {
  const found = await operator.query("operator.desk.find", { text: customer.email });
  const [{ accountId }] = found.found as readonly [{ accountId: string }];
  return [
    { name: "operator-find", path: `/operator?q=${customer.email}` },
    { name: "operator-account", path: `/operator/accounts/${accountId}` },
    { name: "operator-request", path: `/operator/requests/${goodRequest}` },
    ...installationRoutes,
  ];
}

const installationRoutes: readonly Route[] = [
  { name: "operator-accounts", path: "/operator/accounts?order=balance" },
  { name: "operator-models", path: "/operator/models" },
  { name: "operator-catalog", path: "/operator/catalog" },
  { name: "operator-incidents", path: "/operator/incidents" },
  { name: "operator-money", path: "/operator/money" },
  { name: "operator-system", path: "/operator/system" },
  { name: "operator-queues", path: "/operator/system?tab=queues" },
];

/** Member pages; detail pages need an account with a seeded history. */
export function memberRoutes(history?: SeededHistory): readonly Route[] {
  return [
    { name: "overview", path: "/" },
    { name: "keys", path: "/keys" },
    { name: "projects", path: "/projects" },
    { name: "budgets", path: "/budgets" },
    { name: "playground", path: "/playground" },
    { name: "draw-images", path: "/playground/images" },
    { name: "speech", path: "/playground/audio" },
    { name: "transcription", path: "/playground/audio?tab=transcription" },
    { name: "files", path: "/files" },
    { name: "connect", path: "/connect" },
    { name: "usage", path: "/usage" },
    { name: "usage-pivot", path: "/usage?rows=key&columns=model" },
    { name: "logs", path: "/logs" },
    { name: "wallet", path: "/wallet" },
    { name: "settings-profile", path: "/settings/profile" },
    { name: "settings-security", path: "/settings/security" },
    { name: "settings-notifications", path: "/settings/notifications" },
    { name: "settings-members", path: "/settings/members" },
    { name: "settings-management-keys", path: "/settings/management-keys" },
    { name: "settings-audit-log", path: "/settings/audit-log" },
    { name: "settings-guardrails", path: "/settings/guardrails" },
    { name: "settings-privacy", path: "/settings/privacy" },
    { name: "settings-webhooks", path: "/settings/webhooks" },
    { name: "models", path: "/models" },
    { name: "compare-models", path: comparison },
    ...(history === undefined ? [] : detailRoutes(history)),
  ];
}

function detailRoutes({
  keyId,
  goodRequest,
  failedRequest,
  topUpId,
}: SeededHistory): readonly Route[] {
  return [
    { name: "key", path: `/keys/${keyId}` },
    { name: "log", path: `/logs?id=${goodRequest}` },
    { name: "log-failed", path: `/logs?id=${failedRequest}` },
    { name: "log-compare", path: `/logs?id=${goodRequest}&with=${failedRequest}` },
    { name: "logs-live", path: "/logs?live=1" },
    { name: "top-up", path: `/wallet/top-ups/${topUpId}` },
    { name: "model", path: `/models/${models.large}` },
    { name: "create-key", path: "/keys?do=create-key" },
  ];
}
