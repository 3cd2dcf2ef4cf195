// Traces by the SDK of OpenTelemetry, exported as OTLP over HTTP in JSON. The only importer of the SDK, loaded only when
// tracing is configured. Spans follow the semantic conventions for generative AI; a full queue drops spans and never
// delays a call.
import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { ExportResultCode, parseTraceParent } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type {
  AttemptTrace,
  CallTrace,
  EndedCall,
  StartedCall,
  Tracing,
  TracingSettings,
} from "./call-trace.ts";

const exportTimeoutMs = 10_000;
const flushMs = 3_000;

type Tracer = ReturnType<TracerProvider["getTracer"]>;

function openExporter({ endpoint, headers }: TracingSettings): OTLPTraceExporter {
  return new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, "")}/v1/traces`,
    headers: { ...headers },
    timeoutMillis: exportTimeoutMs,
  });
}

/** Exports no span. Rejects with what the collector answered, after `exportTimeoutMs` at the latest. */
export async function tryOtlpTracing(settings: TracingSettings): Promise<void> {
  const exporter = openExporter(settings);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  exporter.export([], ({ code, error }) => {
    if (code === ExportResultCode.SUCCESS) resolve();
    else reject(error ?? new Error("not exported"));
  });
  await promise;
}

export function openOtlpTracing(settings: TracingSettings): Tracing {
  const exporter = openExporter(settings);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": settings.serviceName }),
    sampler: samplerOf(settings),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer("turnpike");
  return {
    start: (call) => startCall(tracer, call),
    async close() {
      // A collector that does not answer must not hold up the end of the process.
      const late = new Promise<void>((resolve) => setTimeout(resolve, flushMs).unref());
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
    },
  };
}

function samplerOf({ sampler, ratio }: TracingSettings): Sampler {
  const isParentBased = sampler.startsWith("parentbased_");
  const root = rootOf(sampler.replace("parentbased_", ""), ratio);
  return isParentBased ? new ParentBasedSampler({ root }) : root;
}

function rootOf(sampler: string, ratio: number): Sampler {
  if (sampler === "traceidratio") return new TraceIdRatioBasedSampler(ratio);
  return sampler === "always_off" ? new AlwaysOffSampler() : new AlwaysOnSampler();
}

/** As the SDK wants it: since 1970. */
function epochMs(monotonicMs: number): number {
  return performance.timeOrigin + monotonicMs;
}

function startCall(tracer: Tracer, call: StartedCall): CallTrace | undefined {
  const parent = call.traceparent === null ? null : parseTraceParent(call.traceparent);
  const context =
    parent === null
      ? ROOT_CONTEXT
      : trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true });
  const operation = operationOf(call.operation);
  const span = tracer.startSpan(
    operation,
    {
      kind: SpanKind.SERVER,
      startTime: epochMs(call.receivedAtMs),
      attributes: {
        "gen_ai.operation.name": operation,
        "gen_ai.response.id": call.generationId,
        "turnpike.request_id": call.requestId,
      },
    },
    context,
  );
  if (!span.isRecording()) return undefined;
  const within = trace.setSpan(ROOT_CONTEXT, span);
  return {
    part(name, startedAtMs) {
      tracer.startSpan(name, { startTime: epochMs(startedAtMs) }, within).end(nowMs());
    },
    attempt: (provider, model) =>
      attemptOf(
        tracer.startSpan(
          `${operation} ${model}`,
          {
            kind: SpanKind.CLIENT,
            startTime: nowMs(),
            attributes: {
              "gen_ai.operation.name": operation,
              "gen_ai.provider.name": provider,
              "gen_ai.request.model": model,
            },
          },
          within,
        ),
      ),
    end: (ended) => endCall(span, operation, ended),
  };
}

function nowMs(): number {
  return epochMs(performance.now());
}

/** The names of the semantic conventions. */
function operationOf(operation: string): string {
  return operation === "embeddings" ? "embeddings" : "chat";
}

function attemptOf(span: Span): AttemptTrace {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`,
    firstToken: () => void span.addEvent("first_token", nowMs()),
    end(error) {
      if (!span.isRecording()) return;
      if (error !== undefined) fail(span, error);
      span.end(nowMs());
    },
  };
}

function endCall(span: Span, operation: string, ended: EndedCall): void {
  if (!span.isRecording()) return;
  const { model, provider, error } = ended;
  if (model !== undefined) span.updateName(`${operation} ${model}`);
  span.setAttributes({
    "gen_ai.request.model": model,
    "gen_ai.provider.name": provider,
    "gen_ai.usage.input_tokens": ended.promptTokens,
    "gen_ai.usage.output_tokens": ended.completionTokens,
    ...(ended.finishReason !== undefined && {
      "gen_ai.response.finish_reasons": [ended.finishReason],
    }),
    "http.response.status_code": ended.status,
    "turnpike.outcome": ended.outcome,
    "turnpike.account_id": ended.accountId,
  });
  if (error !== undefined) fail(span, error);
  span.end(nowMs());
}

function fail(span: Span, error: string): void {
  span.setAttribute("error.type", error);
  span.setStatus({ code: SpanStatusCode.ERROR });
}
