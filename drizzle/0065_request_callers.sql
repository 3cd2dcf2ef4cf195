-- Which application made a call and whom it called for, in its own words. Nothing rewrites a row.
ALTER TABLE "requests" ADD COLUMN "app" text;--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "end_user" text;--> statement-breakpoint
CREATE OR REPLACE VIEW usage_of_requests AS
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
         total_ms, first_byte_ms,
         coalesce(app, '') AS app, coalesce(end_user, '') AS end_user
    FROM requests;
