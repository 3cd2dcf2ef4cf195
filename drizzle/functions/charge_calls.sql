-- charge_calls: writes a batch of finished calls, once each, and adds what they cost to their leases. It locks only those
-- leases, in id order, so that settling waits for no other instance.
--   p_calls    an array of rows of `requests`, as a literal, of p_members members each (see `read_calls`): all that is
--              known of each call, with the lease that pays for it and, as charged_nanos, the most that lease may spend
--              on it. When it was placed, when it ended and what it is charged is decided here.
--   p_held_ms  for how long the money of each was held
-- Returns arrays, one element per call in the order given:
--   verdicts    settled | released | late_settled | already | late
--   charged     what the lease spent on it: never more than it may, never more than was held
--   shortfalls  the part of the cost that is charged to no one
--               (both of `already` as they were then: its caller may never have received them)
-- A call whose lease is closed or missing returns late and is not written: it is charged again against a lease that is
-- acquired for it.
CREATE OR REPLACE FUNCTION charge_calls(
  p_members integer, p_calls text, p_held_ms bigint[],
  OUT verdicts text[], OUT charged bigint[], OUT shortfalls bigint[]
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off
SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_now timestamptz := clock_timestamp(); v_calls requests[] := read_calls(p_members, p_calls);
  v_call requests; v_paid requests[]; v_n integer := cardinality(v_calls); i integer := 0; j integer;
  v_leases uuid[] := ARRAY(SELECT lease_id FROM unnest(v_calls));
  v_open uuid[]; v_payer uuid[]; v_new uuid[]; v_charge bigint; v_shortfall bigint;
  v_single record;
BEGIN
  verdicts := array_fill('late'::text, ARRAY[v_n]);
  charged := array_fill(0::bigint, ARRAY[v_n]);
  shortfalls := charged;
  -- Leases are found by their ids alone, here and below, and what else must be true of them is asked of what was
  -- found: the plan is made once, perhaps while there are hardly any leases, and an index of open ones or of an
  -- account's that it chose then would be read as a whole for every batch.
  SELECT array_agg(x.id) FILTER (WHERE x.closed_at IS NULL),
         array_agg(x.account_id) FILTER (WHERE x.closed_at IS NULL)
    INTO v_open, v_payer
    FROM (SELECT id, account_id, closed_at FROM leases WHERE id = ANY (v_leases)
             ORDER BY id FOR NO KEY UPDATE) x;
  IF are_requests_distributed() THEN
    -- Citus takes an insert of a row to its shard as it is, but copies the rows of a select to each shard's worker first.
    -- From here on no column is added: the records are whole.
    PERFORM FROM requests WHERE false;
    FOREACH v_call IN ARRAY v_calls LOOP
      i := i + 1;
      SELECT s.verdict, s.charged, s.shortfall INTO v_single
        FROM charge_single_call(NULL, v_call::text, p_held_ms[i]) s;
      verdicts[i] := v_single.verdict;
      charged[i] := v_single.charged;
      shortfalls[i] := v_single.shortfall;
    END LOOP;
    RETURN;
  END IF;
  FOREACH v_call IN ARRAY v_calls LOOP
    i := i + 1;
    j := array_position(v_open, v_call.lease_id);
    CONTINUE WHEN j IS NULL OR v_payer[j] <> v_call.account_id;
    IF v_call.state NOT IN ('settled', 'released', 'late_settled') IS NOT FALSE
       OR v_call.cost_nanos <> 0 AND v_call.state = 'released' THEN
      RAISE EXCEPTION 'a call that ran is not % at a cost of %', v_call.state, v_call.cost_nanos
        USING ERRCODE = 'check_violation';
    END IF;
    v_call.charged_nanos := least(v_call.cost_nanos, v_call.held_nanos, v_call.charged_nanos);
    v_call.shortfall_nanos := v_call.cost_nanos - v_call.charged_nanos;
    v_call.placed_at := v_now - p_held_ms[i] * interval '1 millisecond';
    v_call.ended_at := v_now;
    v_call.transaction_id := NULL;
    verdicts[i] := v_call.state;
    charged[i] := v_call.charged_nanos;
    shortfalls[i] := v_call.shortfall_nanos;
    v_paid[i] := v_call;
  END LOOP;
  WITH written AS (
    INSERT INTO requests SELECT x.* FROM unnest(v_paid) x WHERE x.id IS NOT NULL
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
  IF coalesce(cardinality(v_new), 0) = v_n THEN RETURN; END IF;
  i := 0;
  FOREACH v_call IN ARRAY v_calls LOOP
    i := i + 1;
    CONTINUE WHEN v_call.id = ANY (v_new) IS TRUE;
    SELECT r.charged_nanos, r.shortfall_nanos INTO v_charge, v_shortfall
      FROM requests r WHERE r.account_id = v_call.account_id AND r.id = v_call.id;
    verdicts[i] := CASE WHEN FOUND THEN 'already' ELSE 'late' END;
    charged[i] := coalesce(v_charge, 0);
    shortfalls[i] := coalesce(v_shortfall, 0);
  END LOOP;
END $$;
