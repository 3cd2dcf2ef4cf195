-- For processes of version 71 and before, which may run beside this one or after going back a version: later ones
-- call `charge_single_call`.
-- charge_single_request: `charge_requests` for a batch of one, which is most of them while few calls end at
-- the same time. Without arrays, sums and joins it takes four fifths of the time; its promises are the same:
--   verdict    settled | released | late_settled | already | late
--   charged    what the lease spent on it: never more than p_cap, never more than was held
--   shortfall  the part of the cost that is charged to no one
--              (both of `already` as they were then: its caller may never have received them)
-- A request whose lease is closed or missing returns late and is not written.

-- The signature of the versions before p_app: left beside this one, it would make the name ambiguous.
DROP FUNCTION IF EXISTS charge_single_request(
  uuid, uuid, uuid, uuid, uuid, text, bigint, bigint, bigint, bigint, text, text, text, text, uuid, boolean,
  integer, integer, integer, integer, integer, text, integer, integer,
  text, text, text, text, text, text, text, real, real, real, text, integer, text);
CREATE OR REPLACE FUNCTION charge_single_request(
  p_instance uuid, p_id uuid, p_account uuid, p_lease uuid, p_key uuid, p_state text,
  p_held bigint, p_cap bigint, p_cost bigint, p_held_ms bigint,
  p_origin text, p_trace text, p_agent text, p_model text, p_price uuid, p_streamed boolean,
  p_prompt integer, p_completion integer, p_cached integer, p_cache_write integer,
  p_reasoning integer, p_source text, p_max_tokens integer, p_status integer,
  p_outcome text, p_error text, p_finish text, p_native text, p_provider text,
  p_upstream_id text, p_attempts text, p_first_byte_ms real, p_overhead_ms real, p_total_ms real,
  p_operation text, p_cache_write_1h integer, p_usage_details text,
  -- Not passed by a process of such a version, which may run beside this one during an upgrade.
  p_app text DEFAULT NULL, p_end_user text DEFAULT NULL,
  OUT verdict text, OUT charged bigint, OUT shortfall bigint
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_now timestamptz := clock_timestamp(); v_pays boolean;
BEGIN
  -- By its id alone: see `charge_requests`.
  SELECT closed_at IS NULL AND account_id = p_account INTO v_pays FROM leases
   WHERE id = p_lease FOR NO KEY UPDATE;
  IF v_pays THEN
    IF p_state NOT IN ('settled', 'released', 'late_settled') IS NOT FALSE
       OR p_cost <> 0 AND p_state = 'released' THEN
      RAISE EXCEPTION 'a call that ran is not % at a cost of %', p_state, p_cost
        USING ERRCODE = 'check_violation';
    END IF;
    charged := least(p_cost, p_held, p_cap);
    shortfall := p_cost - charged;
    INSERT INTO requests (account_id, id, key_id, instance_id, lease_id, state, origin, trace_id, model,
        provider, price_id, streamed, max_tokens, held_nanos, cost_nanos, charged_nanos, shortfall_nanos,
        prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens,
        usage_source, status, outcome, error_code, finish_reason, native_finish_reason, upstream_id,
        user_agent, attempts, placed_at, ended_at, first_byte_ms, overhead_ms, total_ms, operation,
        cache_write_1h_tokens, usage_details, app, end_user)
      VALUES (p_account, p_id, p_key, p_instance, p_lease, p_state, p_origin, p_trace, p_model,
        p_provider, p_price, p_streamed, p_max_tokens, p_held, p_cost, charged, shortfall,
        p_prompt, p_completion, p_cached, p_cache_write, p_reasoning,
        p_source, p_status, p_outcome, p_error, p_finish, p_native, p_upstream_id,
        p_agent, p_attempts::jsonb, v_now - p_held_ms * interval '1 millisecond', v_now,
        p_first_byte_ms, p_overhead_ms, p_total_ms, p_operation, p_cache_write_1h, p_usage_details::jsonb,
        p_app, p_end_user)
      ON CONFLICT DO NOTHING;
    IF FOUND THEN
      UPDATE leases SET spent_nanos = spent_nanos + charged,
          shortfall_nanos = shortfall_nanos + shortfall, calls = calls + 1
       WHERE id = p_lease;
      IF p_held_ms >= 600000 AND are_requests_distributed() THEN
        -- See `charge_requests`.
        INSERT INTO usage_changes (account_id, quarter)
          VALUES (p_account, date_bin('15 minutes', v_now - p_held_ms * interval '1 millisecond',
            '2000-01-01 00:00:00+00'));
      END IF;
      verdict := p_state;
      RETURN;
    END IF;
  END IF;
  SELECT charged_nanos, shortfall_nanos INTO charged, shortfall
    FROM requests WHERE account_id = p_account AND id = p_id;
  verdict := CASE WHEN FOUND THEN 'already' ELSE 'late' END;
  charged := coalesce(charged, 0);
  shortfall := coalesce(shortfall, 0);
END $$;
