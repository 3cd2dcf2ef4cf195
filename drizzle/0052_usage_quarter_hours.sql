CREATE TABLE "usage_changes" (
	"account_id" uuid NOT NULL,
	"quarter" timestamp with time zone NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	CONSTRAINT "usage_changes_account_id_quarter_id_pk" PRIMARY KEY("account_id","quarter","id")
);
--> statement-breakpoint
CREATE TABLE "usage_progress" (
	"singleton" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"rolled_from" timestamp with time zone NOT NULL,
	"rolled_to" timestamp with time zone NOT NULL,
	"sealed_before" timestamp with time zone DEFAULT '-infinity' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "usage_quarter_hours" (
	"account_id" uuid NOT NULL,
	"quarter" timestamp with time zone NOT NULL,
	"key_id" uuid,
	"model" text NOT NULL,
	"provider" text NOT NULL,
	"origin" text NOT NULL,
	"operation" text NOT NULL,
	"class" text NOT NULL,
	"error_code" text NOT NULL,
	"calls" bigint NOT NULL,
	"free_calls" bigint NOT NULL,
	"charged_nanos" bigint NOT NULL,
	"shortfall_nanos" bigint NOT NULL,
	"prompt_tokens" bigint NOT NULL,
	"completion_tokens" bigint NOT NULL,
	"cached_tokens" bigint NOT NULL,
	"cache_write_tokens" bigint NOT NULL,
	"reasoning_tokens" bigint NOT NULL,
	"costed_calls" bigint NOT NULL,
	"known_calls" bigint NOT NULL,
	"known_charged_nanos" bigint NOT NULL,
	"operator_cost_nanos" bigint NOT NULL,
	"total_ms_counts" numeric,
	"first_byte_ms_counts" numeric,
	"ordinal" integer NOT NULL,
	CONSTRAINT "usage_quarter_hours_account_id_quarter_ordinal_pk" PRIMARY KEY("account_id","quarter","ordinal")
);
--> statement-breakpoint
CREATE INDEX "usage_quarter_hours_quarter" ON "usage_quarter_hours" USING brin ("quarter");-- What was placed before now is added up by the job, the newest first.
INSERT INTO "usage_progress" ("rolled_from", "rolled_to")
SELECT q, q FROM (SELECT date_bin('15 minutes', now(), '2000-01-01 00:00:00+00') AS q) n;
--> statement-breakpoint
-- A duration in milliseconds as a histogram with one entry, so that sum() adds histograms up: twelve decimal digits for
-- each slot, slot 0 last. 24 slots for each power of ten, from 1 ms to 1000 s. Fixed for ever: sums of it are stored.
CREATE FUNCTION pack_latency(p_ms real) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ('1' || repeat('0', 12 * least(143, floor(24 * log(greatest(p_ms, 1)::float8))::integer)))::numeric
$$;
--> statement-breakpoint
-- One row per call, with the columns of usage_quarter_hours. `class` is how the call ended, in the console's terms.
CREATE VIEW usage_of_requests AS
  SELECT account_id, id, placed_at, date_bin('15 minutes', placed_at, '2000-01-01 00:00:00+00') AS quarter,
         key_id, model, provider, origin, operation,
         CASE WHEN outcome = 'completed' THEN 'ok'
              WHEN outcome = 'client_closed' THEN 'canceled'
              WHEN status BETWEEN 400 AND 499 THEN 'client_error'
              ELSE 'server_error' END AS class,
         coalesce(error_code, '') AS error_code,
         1::bigint AS calls,
         (outcome = 'completed' AND cost_nanos = 0)::integer::bigint AS free_calls,
         charged_nanos, shortfall_nanos,
         prompt_tokens::bigint AS prompt_tokens, completion_tokens::bigint AS completion_tokens,
         cached_tokens::bigint AS cached_tokens, cache_write_tokens::bigint AS cache_write_tokens,
         reasoning_tokens::bigint AS reasoning_tokens,
         (cost_nanos > 0 OR usage_details ->> 'operatorCostNanos' IS NOT NULL)::integer::bigint AS costed_calls,
         (usage_details ->> 'operatorCostNanos' IS NOT NULL)::integer::bigint AS known_calls,
         CASE WHEN usage_details ->> 'operatorCostNanos' IS NOT NULL THEN charged_nanos ELSE 0 END AS known_charged_nanos,
         coalesce((usage_details ->> 'operatorCostNanos')::bigint, 0) AS operator_cost_nanos,
         CASE WHEN outcome = 'completed' THEN pack_latency(total_ms) END AS total_ms_counts,
         CASE WHEN outcome = 'completed' THEN pack_latency(first_byte_ms) END AS first_byte_ms_counts,
         total_ms, first_byte_ms
    FROM requests;
