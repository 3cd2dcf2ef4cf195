-- For processes of version 71 and before, which may run beside this one or after going back a version: later ones
-- call `charge_calls`.
-- charge_requests: writes a batch of finished requests, once each, and adds what they cost to their
-- leases. It locks only those leases, in id order, so that settling waits for no other instance.
-- Returns arrays, one element per request in the order given:
--   verdicts    settled | released | late_settled | already | late
--   charged     what the lease spent on it: never more than p_caps, never more than was held
--   shortfalls  the part of the cost that is charged to no one
--               (both of `already` as they were then: its caller may never have received them)
-- A request whose lease is closed or missing returns late and is not written: it is charged again
-- against a lease that is acquired for it.

-- The signatures of the versions before p_operations, p_cache_write_1h, p_usage_details and p_apps: left beside
-- this one, they would make the name ambiguous.
DROP FUNCTION IF EXISTS charge_requests(
  uuid, uuid[], uuid[], uuid[], uuid[], text[],
  bigint[], bigint[], bigint[], bigint[], text[], text[], text[], text[], uuid[], boolean[],
  integer[], integer[], integer[], integer[], integer[], text[], integer[], integer[],
  text[], text[], text[], text[], text[], text[], text[], real[], real[], real[]);
DROP FUNCTION IF EXISTS charge_requests(
  uuid, uuid[], uuid[], uuid[], uuid[], text[],
  bigint[], bigint[], bigint[], bigint[], text[], text[], text[], text[], uuid[], boolean[],
  integer[], integer[], integer[], integer[], integer[], text[], integer[], integer[],
  text[], text[], text[], text[], text[], text[], text[], real[], real[], real[], text[]);
DROP FUNCTION IF EXISTS charge_requests(
  uuid, uuid[], uuid[], uuid[], uuid[], text[],
  bigint[], bigint[], bigint[], bigint[], text[], text[], text[], text[], uuid[], boolean[],
  integer[], integer[], integer[], integer[], integer[], text[], integer[], integer[],
  text[], text[], text[], text[], text[], text[], text[], real[], real[], real[], text[], integer[]);
DROP FUNCTION IF EXISTS charge_requests(
  uuid, uuid[], uuid[], uuid[], uuid[], text[],
  bigint[], bigint[], bigint[], bigint[], text[], text[], text[], text[], uuid[], boolean[],
  integer[], integer[], integer[], integer[], integer[], text[], integer[], integer[],
  text[], text[], text[], text[], text[], text[], text[], real[], real[], real[], text[], integer[], text[]);
CREATE OR REPLACE FUNCTION charge_requests(
  p_instance uuid, p_ids uuid[], p_accounts uuid[], p_leases uuid[], p_keys uuid[], p_states text[],
  p_held bigint[], p_caps bigint[], p_costs bigint[], p_held_ms bigint[],
  p_origins text[], p_traces text[], p_agents text[], p_models text[], p_prices uuid[], p_streamed boolean[],
  p_prompt integer[], p_completion integer[], p_cached integer[], p_cache_write integer[],
  p_reasoning integer[], p_sources text[], p_max_tokens integer[], p_status integer[],
  p_outcomes text[], p_errors text[], p_finish text[], p_native text[], p_providers text[],
  p_upstream_ids text[], p_attempts text[], p_first_byte_ms real[], p_overhead_ms real[], p_total_ms real[],
  -- Not passed by a process of such a version, which may run beside this one during an upgrade.
  p_operations text[] DEFAULT NULL, p_cache_write_1h integer[] DEFAULT NULL,
  p_usage_details text[] DEFAULT NULL, p_apps text[] DEFAULT NULL, p_end_users text[] DEFAULT NULL,
  OUT verdicts text[], OUT charged bigint[], OUT shortfalls bigint[]
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off
SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_n integer := cardinality(p_ids); v_now timestamptz := clock_timestamp();
  v_open uuid[]; v_payer uuid[]; j integer; v_new uuid[]; v_charge bigint; v_shortfall bigint;
  v_single record;
BEGIN
  verdicts := p_states;
  charged := array_fill(0::bigint, ARRAY[v_n]);
  shortfalls := charged;
  -- Leases are found by their ids alone, here and below, and what else must be true of them is asked of what was
  -- found: the plan is made once, perhaps while there are hardly any leases, and an index of open ones or of an
  -- account's that it chose then would be read as a whole for every batch.
  SELECT array_agg(x.id) FILTER (WHERE x.closed_at IS NULL),
         array_agg(x.account_id) FILTER (WHERE x.closed_at IS NULL)
    INTO v_open, v_payer
    FROM (SELECT id, account_id, closed_at FROM leases WHERE id = ANY (p_leases)
             ORDER BY id FOR NO KEY UPDATE) x;
  IF are_requests_distributed() THEN
    -- Citus takes an insert of a row to its shard as it is, but copies the rows of a select to each shard's worker first.
    FOR i IN 1 .. v_n LOOP
      SELECT s.verdict, s.charged, s.shortfall INTO v_single
        FROM charge_single_request(p_instance, p_ids[i], p_accounts[i], p_leases[i], p_keys[i], p_states[i],
          p_held[i], p_caps[i], p_costs[i], p_held_ms[i], p_origins[i], p_traces[i], p_agents[i], p_models[i],
          p_prices[i], p_streamed[i], p_prompt[i], p_completion[i], p_cached[i], p_cache_write[i], p_reasoning[i],
          p_sources[i], p_max_tokens[i], p_status[i], p_outcomes[i], p_errors[i], p_finish[i], p_native[i],
          p_providers[i], p_upstream_ids[i], p_attempts[i], p_first_byte_ms[i], p_overhead_ms[i], p_total_ms[i],
          coalesce(p_operations[i], 'chat'), coalesce(p_cache_write_1h[i], 0), p_usage_details[i],
          p_apps[i], p_end_users[i]) s;
      verdicts[i] := v_single.verdict;
      charged[i] := v_single.charged;
      shortfalls[i] := v_single.shortfall;
    END LOOP;
    RETURN;
  END IF;
  FOR i IN 1 .. v_n LOOP
    j := array_position(v_open, p_leases[i]);
    IF j IS NULL OR v_payer[j] <> p_accounts[i] THEN
      verdicts[i] := 'late';
      CONTINUE;
    END IF;
    IF p_states[i] NOT IN ('settled', 'released', 'late_settled') IS NOT FALSE
       OR p_costs[i] <> 0 AND p_states[i] = 'released' THEN
      RAISE EXCEPTION 'a call that ran is not % at a cost of %', p_states[i], p_costs[i]
        USING ERRCODE = 'check_violation';
    END IF;
    charged[i] := least(p_costs[i], p_held[i], p_caps[i]);
    shortfalls[i] := p_costs[i] - charged[i];
  END LOOP;
  WITH written AS (
    INSERT INTO requests (account_id, id, key_id, instance_id, lease_id, state, origin, trace_id, model,
        provider, price_id, streamed, max_tokens, held_nanos, cost_nanos, charged_nanos, shortfall_nanos,
        prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens,
        usage_source, status, outcome, error_code, finish_reason, native_finish_reason, upstream_id,
        user_agent, attempts, placed_at, ended_at, first_byte_ms, overhead_ms, total_ms, operation,
        cache_write_1h_tokens, usage_details, app, end_user)
      SELECT p_accounts[i], p_ids[i], p_keys[i], p_instance, p_leases[i], p_states[i], p_origins[i],
             p_traces[i], p_models[i], p_providers[i], p_prices[i], p_streamed[i], p_max_tokens[i],
             p_held[i], p_costs[i], charged[i], shortfalls[i], p_prompt[i], p_completion[i], p_cached[i],
             p_cache_write[i], p_reasoning[i], p_sources[i], p_status[i], p_outcomes[i], p_errors[i],
             p_finish[i], p_native[i], p_upstream_ids[i], p_agents[i], p_attempts[i]::jsonb,
             v_now - p_held_ms[i] * interval '1 millisecond', v_now,
             p_first_byte_ms[i], p_overhead_ms[i], p_total_ms[i], coalesce(p_operations[i], 'chat'),
             coalesce(p_cache_write_1h[i], 0), p_usage_details[i]::jsonb,
             p_apps[i], p_end_users[i]
        FROM generate_series(1, v_n) i WHERE verdicts[i] <> 'late'
      ON CONFLICT DO NOTHING
      RETURNING id, lease_id, charged_nanos, shortfall_nanos
  ), spent AS (
    UPDATE leases x SET spent_nanos = x.spent_nanos + u.charged,
        shortfall_nanos = x.shortfall_nanos + u.shortfall, calls = x.calls + u.calls
      FROM (SELECT lease_id, sum(charged_nanos)::bigint AS charged,
                   sum(shortfall_nanos)::bigint AS shortfall, count(*)::integer AS calls
              FROM written GROUP BY 1) u
     WHERE x.id = u.lease_id
  )
  SELECT array_agg(id) INTO v_new FROM written;
  IF coalesce(cardinality(v_new), 0) < v_n THEN
    FOR i IN 1 .. v_n LOOP
      IF p_ids[i] = ANY (v_new) IS TRUE THEN CONTINUE; END IF;
      SELECT r.charged_nanos, r.shortfall_nanos INTO v_charge, v_shortfall
        FROM requests r WHERE r.account_id = p_accounts[i] AND r.id = p_ids[i];
      verdicts[i] := CASE WHEN FOUND THEN 'already' ELSE 'late' END;
      charged[i] := coalesce(v_charge, 0);
      shortfalls[i] := coalesce(v_shortfall, 0);
    END LOOP;
  END IF;
END $$;
