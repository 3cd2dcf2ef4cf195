// Keeps in the database what this process knows of its routes, so that its successor does not begin by
// calling what is broken: when a route becomes better or worse, and once a minute what was measured.
import { type Db, routeHealth } from "@turnpike/db";
import { type Log, type Metrics, startInterval } from "@turnpike/telemetry";
import { type RouteHealth, RouteHealthBook } from "./route-health.ts";

const saveEveryMs = 60_000;
/** A breaker that should have closed this long ago says nothing about the present. */
const forgetAfterMs = 300_000;

export type KeptRouteHealth = {
  readonly book: RouteHealthBook;
  /** Saves the measurements one last time. */
  readonly close: () => Promise<void>;
};

/** Resolves when the state from other processes has been read; without it every route counts as healthy. */
export async function persistRouteHealth(options: {
  readonly db: Db;
  readonly log: Log;
  readonly metrics: Pick<Metrics, "watchRoutes" | "jobRan">;
  readonly saveEveryMs?: number;
}): Promise<KeptRouteHealth> {
  const { db, log, metrics } = options;
  const book = new RouteHealthBook();
  await restore(db, book);
  const saved = new Map<RouteHealth, string>();
  /** Writes of one route are sequential, or an older state could replace a newer one. */
  const writing = new Map<RouteHealth, Promise<void>>();

  async function write(health: RouteHealth): Promise<void> {
    const row = toRow(health);
    const { openUntil: _, updatedAt: __, ...figures } = row;
    const state = JSON.stringify({ ...figures, isOpen: health.isOpen });
    if (saved.get(health) === state || isUnknown(health)) return;
    await db
      .insert(routeHealth)
      .values(row)
      .onConflictDoUpdate({ target: [routeHealth.provider, routeHealth.upstreamModel], set: row });
    // Only what is stored: a write that failed is repeated.
    saved.set(health, state);
  }

  function save(health: RouteHealth): Promise<void> {
    const previous = writing.get(health) ?? Promise.resolve();
    const next = previous.catch(() => undefined).then(() => write(health));
    writing.set(health, next);
    return next;
  }

  /** One route that cannot be saved does not prevent saving the others. */
  async function saveAll(): Promise<void> {
    const results = await Promise.allSettled([...book.all()].map(save));
    for (const result of results) if (result.status === "rejected") throw result.reason;
  }

  book.watch((health) => {
    report(log, health);
    save(health).catch((error: unknown) => {
      log.warn({ err: error }, "health of a route not saved");
    });
  });
  metrics.watchRoutes(() => book.all());
  const loop = startInterval(options.saveEveryMs ?? saveEveryMs, saveAll, {
    job: "save route health",
    log,
    metrics,
  });
  return {
    book,
    async close() {
      await loop.stop();
      await saveAll().catch((error: unknown) => {
        log.warn({ err: error }, "health of the routes not saved");
      });
    },
  };
}

/** Never called by this process, and not known from another. */
function isUnknown(health: RouteHealth): boolean {
  const { isOpen, hasAnswered, refused } = health;
  return !isOpen && !hasAnswered && refused === undefined;
}

function toRow(health: RouteHealth): typeof routeHealth.$inferInsert {
  const nowMs = Date.now();
  const { openForMs, ...figures } = health.save(performance.now());
  return {
    provider: health.provider,
    upstreamModel: health.upstreamModel,
    ...figures,
    openUntil: health.isOpen ? new Date(nowMs + openForMs) : null,
    updatedAt: new Date(nowMs),
  };
}

async function restore(db: Db, book: RouteHealthBook): Promise<void> {
  const rows = await db
    .select({
      provider: routeHealth.provider,
      upstreamModel: routeHealth.upstreamModel,
      openUntil: routeHealth.openUntil,
      nextOpenMs: routeHealth.nextOpenMs,
      credentialsRefused: routeHealth.credentialsRefused,
      modelRefused: routeHealth.modelRefused,
      firstByteMs: routeHealth.firstByteMs,
      tokensPerSecond: routeHealth.tokensPerSecond,
    })
    .from(routeHealth);
  for (const { provider, upstreamModel, openUntil, ...figures } of rows) {
    const openForMs = openUntil === null ? -forgetAfterMs : openUntil.getTime() - Date.now();
    const isOpen = openForMs > -forgetAfterMs;
    const known = { ...figures, openForMs: Math.max(0, openForMs) };
    book.find(provider, upstreamModel).restore(known, isOpen, performance.now());
  }
}

const refusedSentences = {
  account: "a provider refuses this gateway's credentials: check its key and its balance",
  model: "a provider does not serve the model of a route: replace it in the catalog, or enable it",
} as const;

function report(log: Log, health: RouteHealth): void {
  const names = { provider: health.provider, route: health.upstreamModel };
  if (health.refused !== undefined) log.error(names, refusedSentences[health.refused]);
  else if (health.isOpen) {
    log.warn(
      { ...names, forEverybody: health.isOpenForEverybody },
      "a route keeps failing and is not called for now",
    );
  } else log.info(names, "a route works again");
}
