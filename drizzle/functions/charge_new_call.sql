-- charge_new_call: `charge_new_calls` for a batch of one, in less time: without arrays and sums. p_call is the literal of a
-- record of p_members members.
CREATE OR REPLACE FUNCTION charge_new_call(p_members integer, p_call text, p_held_ms bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_now timestamptz := clock_timestamp(); v_call requests; v_pays boolean;
BEGIN
  IF are_requests_distributed() THEN RETURN false; END IF;
  v_call := (read_calls(p_members, ARRAY[p_call]::text))[1];
  v_call.charged_nanos := least(v_call.cost_nanos, v_call.held_nanos);
  v_call.shortfall_nanos := v_call.cost_nanos - v_call.charged_nanos;
  v_call.placed_at := v_now - p_held_ms * interval '1 millisecond';
  v_call.ended_at := v_now;
  v_call.transaction_id := NULL;
  -- By its id alone: see `charge_calls`.
  UPDATE leases x SET spent_nanos = x.spent_nanos + v_call.charged_nanos,
      shortfall_nanos = x.shortfall_nanos + v_call.shortfall_nanos, calls = x.calls + 1
   WHERE x.id = v_call.lease_id
  RETURNING x.account_id = v_call.account_id AND x.closed_at IS NULL INTO v_pays;
  IF v_pays IS NOT TRUE OR (v_call.state = 'settled' OR v_call.state = 'released' AND v_call.cost_nanos = 0) IS NOT TRUE THEN
    RAISE EXCEPTION 'a lease is closed, or a call is not what it says' USING ERRCODE = 'serialization_failure';
  END IF;
  INSERT INTO requests VALUES (v_call.*);
  RETURN true;
END $$;
