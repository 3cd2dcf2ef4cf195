// Opens the traces of calls, and loads the SDK only then: it is not in memory where tracing is not configured.
import type { Tracing, TracingSettings } from "./call-trace.ts";

export async function openTracing(settings: TracingSettings): Promise<Tracing> {
  const { openOtlpTracing } = await import("./open-otlp-tracing.ts");
  return openOtlpTracing(settings);
}

/** Whether the collector takes traces, without sending one: rejects with what it answered. */
export async function tryTracing(settings: TracingSettings): Promise<void> {
  const { tryOtlpTracing } = await import("./open-otlp-tracing.ts");
  await tryOtlpTracing(settings);
}
