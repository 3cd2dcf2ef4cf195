ALTER TABLE "requests" DROP CONSTRAINT IF EXISTS "requests_operation";--> statement-breakpoint
ALTER TABLE "requests" ADD CONSTRAINT "requests_operation" CHECK ("operation" in ('chat', 'embeddings', 'image', 'speech', 'transcription', 'rerank', 'moderation')) NOT VALID;--> statement-breakpoint
ALTER TABLE "prices" ADD COLUMN IF NOT EXISTS "image_input_nanos" bigint, ADD COLUMN IF NOT EXISTS "image_output_nanos" bigint, ADD COLUMN IF NOT EXISTS "unit_rates" jsonb;--> statement-breakpoint
ALTER TABLE "usage_quarter_hours" ADD COLUMN IF NOT EXISTS "images" bigint, ADD COLUMN IF NOT EXISTS "audio_milliseconds" bigint, ADD COLUMN IF NOT EXISTS "characters" bigint, ADD COLUMN IF NOT EXISTS "search_units" bigint;--> statement-breakpoint
ALTER TABLE "usage_blocks" ADD COLUMN IF NOT EXISTS "images" bigint, ADD COLUMN IF NOT EXISTS "audio_milliseconds" bigint, ADD COLUMN IF NOT EXISTS "characters" bigint, ADD COLUMN IF NOT EXISTS "search_units" bigint;--> statement-breakpoint
-- Replaced by the text in `functions/`; the view needs it to exist.
CREATE OR REPLACE FUNCTION count_units(p_details jsonb, p_unit text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT sum((counted ->> 'count')::bigint)::bigint FROM jsonb_array_elements(p_details -> 'units') counted
   WHERE counted ->> 'unit' = p_unit
$$;--> statement-breakpoint
CREATE OR REPLACE VIEW usage_of_requests AS
 SELECT requests.account_id,
    requests.id,
    requests.placed_at,
    date_bin('00:15:00'::interval, requests.placed_at, '2000-01-01 00:00:00+00'::timestamp with time zone) AS quarter,
    requests.key_id,
    requests.model,
    requests.provider,
    requests.origin,
    requests.operation,
        CASE
            WHEN (requests.outcome = 'completed'::text) THEN 'ok'::text
            WHEN (requests.outcome = 'client_closed'::text) THEN 'canceled'::text
            WHEN ((requests.status >= 400) AND (requests.status <= 499)) THEN 'client_error'::text
            ELSE 'server_error'::text
        END AS class,
    COALESCE(requests.error_code, ''::text) AS error_code,
    (1)::bigint AS calls,
    ((((requests.outcome = 'completed'::text) AND (requests.cost_nanos = 0)))::integer)::bigint AS free_calls,
    requests.charged_nanos,
    requests.shortfall_nanos,
    (requests.prompt_tokens)::bigint AS prompt_tokens,
    (requests.completion_tokens)::bigint AS completion_tokens,
    (requests.cached_tokens)::bigint AS cached_tokens,
    (requests.cache_write_tokens)::bigint AS cache_write_tokens,
    (requests.reasoning_tokens)::bigint AS reasoning_tokens,
    ((((requests.cost_nanos > 0) OR ((requests.usage_details ->> 'operatorCostNanos'::text) IS NOT NULL)))::integer)::bigint AS costed_calls,
    ((((requests.usage_details ->> 'operatorCostNanos'::text) IS NOT NULL))::integer)::bigint AS known_calls,
        CASE
            WHEN ((requests.usage_details ->> 'operatorCostNanos'::text) IS NOT NULL) THEN requests.charged_nanos
            ELSE (0)::bigint
        END AS known_charged_nanos,
    COALESCE(((requests.usage_details ->> 'operatorCostNanos'::text))::bigint, (0)::bigint) AS operator_cost_nanos,
        CASE
            WHEN (requests.outcome = 'completed'::text) THEN pack_latency(requests.total_ms)
            ELSE NULL::numeric
        END AS total_ms_counts,
        CASE
            WHEN (requests.outcome = 'completed'::text) THEN pack_latency(requests.first_byte_ms)
            ELSE NULL::numeric
        END AS first_byte_ms_counts,
    requests.total_ms,
    requests.first_byte_ms,
    COALESCE(requests.app, ''::text) AS app,
    COALESCE(requests.end_user, ''::text) AS end_user,
        CASE
            WHEN (requests.usage_details ? 'units'::text) THEN count_units(requests.usage_details, 'images'::text)
            ELSE NULL::bigint
        END AS images,
        CASE
            WHEN (requests.usage_details ? 'units'::text) THEN count_units(requests.usage_details, 'audioMilliseconds'::text)
            ELSE NULL::bigint
        END AS audio_milliseconds,
        CASE
            WHEN (requests.usage_details ? 'units'::text) THEN count_units(requests.usage_details, 'characters'::text)
            ELSE NULL::bigint
        END AS characters,
        CASE
            WHEN (requests.usage_details ? 'units'::text) THEN count_units(requests.usage_details, 'searchUnits'::text)
            ELSE NULL::bigint
        END AS search_units
   FROM requests;
