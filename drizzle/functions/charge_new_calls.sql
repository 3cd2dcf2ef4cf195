-- charge_new_calls: `charge_calls` for a batch in which nothing is unusual, which is nearly every one: each call is written
-- for the first time, and its lease is open. Then all of a batch is two statements, and what each call is charged is known
-- to who sends it: its cost, up to what was held. Where anything is not so, nothing is written: it raises an error, or
-- returns false where `requests` are distributed, and the caller has `charge_calls` decide for each call.
--   p_calls, p_held_ms  as for `charge_calls`
-- Locks are taken in the order of `charge_calls`: leases by id, then rows.
CREATE OR REPLACE FUNCTION charge_new_calls(p_members integer, p_calls text, p_held_ms bigint[]) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off
SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_now timestamptz := clock_timestamp(); v_calls requests[]; v_paid bigint; v_written bigint;
BEGIN
  IF are_requests_distributed() THEN RETURN false; END IF;
  v_calls := read_calls(p_members, p_calls);
  -- Leases are found by their ids alone: see `charge_calls`. The limit, which no batch exceeds, has the planner expect one
  -- lease: then it looks each up, and does not add the calls up again for each lease of a small table.
  WITH spent AS (
    UPDATE leases x SET spent_nanos = x.spent_nanos + u.charged,
        shortfall_nanos = x.shortfall_nanos + u.cost - u.charged, calls = x.calls + u.calls
      FROM (SELECT lease_id, account_id, sum(least(cost_nanos, held_nanos))::bigint AS charged,
                   sum(cost_nanos)::bigint AS cost, count(*)::integer AS calls
              FROM unnest(v_calls) GROUP BY 1, 2 ORDER BY 1 LIMIT cardinality(v_calls)) u
     WHERE x.id = u.lease_id
    RETURNING u.calls, x.account_id = u.account_id AND x.closed_at IS NULL AS pays
  )
  SELECT sum(calls) FILTER (WHERE pays) INTO v_paid FROM spent;
  -- Without `ON CONFLICT`, which looks up every row before it is written.
  INSERT INTO requests (
      account_id, id, key_id, instance_id, state, origin, trace_id, model, provider, price_id, streamed, max_tokens,
      held_nanos, cost_nanos, charged_nanos, shortfall_nanos,
      prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens, usage_source, status, outcome,
      error_code, finish_reason, native_finish_reason, upstream_id, user_agent, attempts, placed_at, ended_at,
      first_byte_ms, overhead_ms, total_ms, lease_id, operation, cache_write_1h_tokens, usage_details, app, end_user,
      attempt_model, attempt_started_ms, attempt_waited_ms)
    SELECT
      c.account_id, c.id, c.key_id, c.instance_id, c.state, c.origin, c.trace_id, c.model, c.provider, c.price_id, c.streamed, c.max_tokens,
      c.held_nanos, c.cost_nanos, least(c.cost_nanos, c.held_nanos), c.cost_nanos - least(c.cost_nanos, c.held_nanos),
      c.prompt_tokens, c.completion_tokens, c.cached_tokens, c.cache_write_tokens, c.reasoning_tokens, c.usage_source, c.status, c.outcome,
      c.error_code, c.finish_reason, c.native_finish_reason, c.upstream_id, c.user_agent, c.attempts,
      -- The second of what is unnested.
      v_now - c.unnest * interval '1 millisecond', v_now,
      c.first_byte_ms, c.overhead_ms, c.total_ms, c.lease_id, c.operation, c.cache_write_1h_tokens, c.usage_details, c.app, c.end_user,
      c.attempt_model, c.attempt_started_ms, c.attempt_waited_ms
      FROM unnest(v_calls, p_held_ms) c
     WHERE c.state = 'settled' OR c.state = 'released' AND c.cost_nanos = 0;
  GET DIAGNOSTICS v_written = ROW_COUNT;
  IF v_paid IS DISTINCT FROM cardinality(v_calls) OR v_written <> cardinality(v_calls) THEN
    RAISE EXCEPTION 'a lease is closed, or a call is not what it says' USING ERRCODE = 'serialization_failure';
  END IF;
  RETURN true;
END $$;
