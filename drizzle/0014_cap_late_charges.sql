-- No call is charged more than its hold, also when it is settled late. Until this migration a late
-- settlement was capped by the balance alone; those rows stay as they were charged.
ALTER TABLE "requests" DROP CONSTRAINT "requests_charge_within_hold";--> statement-breakpoint
-- The moment this database was migrated: late charges above the hold may exist only before it.
-- Taken after the lock of the statement above, so that no running settlement falls behind it.
DO $$
BEGIN
  EXECUTE format('CREATE FUNCTION late_charges_capped_since() RETURNS timestamptz
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS ''SELECT to_timestamp(%s)''',
    extract(epoch FROM clock_timestamp()));
END $$;--> statement-breakpoint
-- Without the name of the table before its columns, because PostgreSQL repeats the expression for
-- each partition.
ALTER TABLE "requests" ADD CONSTRAINT "requests_charge_within_hold" CHECK ("charged_nanos" <= "held_nanos" or ("state" = 'late_settled' and "ended_at" < late_charges_capped_since()) is true);--> statement-breakpoint
-- settle_holds: ends a batch of holds under the locks of their accounts and then their keys.
-- p_states says how each ends: settled (charge p_costs), released or expired (charge nothing).
-- Answers arrays, one element per request in the order given:
--   verdicts   settled | released | expired | late_settled | already | missing | busy
--   charged    what the account paid: never more than was held, and for late_settled also never
--              more than the account and the key's limits still allow
--   shortfalls the part of the cost that could not be charged
--              (for `already`, both as the first settlement left them)
-- The batch is one ledger transaction with the id p_transaction. Releasing a missing hold inserts a
-- row with its id, so that an insert still in flight can no longer commit.
CREATE OR REPLACE FUNCTION settle_holds(
  p_transaction uuid, p_wait boolean,
  p_ids uuid[], p_accounts uuid[], p_states text[], p_costs bigint[],
  p_prompt integer[], p_completion integer[], p_cached integer[], p_cache_write integer[],
  p_reasoning integer[], p_sources text[], p_max_tokens integer[], p_status integer[],
  p_outcomes text[], p_errors text[], p_finish text[], p_native text[], p_providers text[],
  p_upstream_ids text[], p_attempts text[], p_first_byte_ms real[], p_overhead_ms real[],
  p_total_ms real[],
  OUT verdicts text[], OUT charged bigint[], OUT shortfalls bigint[]
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off
SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_n integer := cardinality(p_ids); v_first uuid := p_ids[1]; v_last uuid := p_ids[1];
  v_acc uuid[]; v_avail bigint[]; v_acc_charge bigint[]; v_acc_release bigint[];
  v_state text[]; v_held bigint[]; v_req_key uuid[]; v_placed timestamp[]; v_key uuid[];
  v_change boolean[]; v_released bigint[];
  v_cost_sum bigint := 0; v_shortfall_sum bigint := 0; v_bury boolean := false;
  a integer; v_charge bigint; v_release bigint; v_cost bigint;
BEGIN
  verdicts := array_fill('busy'::text, ARRAY[v_n]);
  charged := array_fill(0::bigint, ARRAY[v_n]);
  shortfalls := charged;
  v_released := charged;
  v_change := array_fill(false, ARRAY[v_n]);
  IF p_wait THEN
    PERFORM FROM accounts WHERE id = ANY (p_accounts) ORDER BY id FOR NO KEY UPDATE;
  END IF;
  SELECT array_agg(x.id), array_agg(x.balance_nanos - x.held_nanos), array_agg(0::bigint)
    INTO v_acc, v_avail, v_acc_charge
    FROM (SELECT * FROM accounts WHERE id = ANY (p_accounts) ORDER BY id
            FOR NO KEY UPDATE SKIP LOCKED) x;
  IF v_acc IS NULL THEN
    IF p_wait THEN verdicts := array_fill('missing'::text, ARRAY[v_n]); END IF;
    RETURN;
  END IF;
  v_acc_release := v_acc_charge;
  -- The span of the ids prunes the partitions of all other months; LIMIT makes the planner look
  -- each id up by the whole key instead of scanning every account for that span.
  FOR i IN 2 .. v_n LOOP
    v_first := least(v_first, p_ids[i]);
    v_last := greatest(v_last, p_ids[i]);
  END LOOP;
  SELECT array_agg(r.state ORDER BY i), array_agg(r.held_nanos ORDER BY i),
         array_agg(r.key_id ORDER BY i), array_agg(r.placed_at AT TIME ZONE 'utc' ORDER BY i)
    INTO v_state, v_held, v_req_key, v_placed
    FROM generate_series(1, v_n) i
    LEFT JOIN LATERAL (SELECT * FROM requests WHERE account_id = p_accounts[i] AND id = p_ids[i]
      AND id BETWEEN v_first AND v_last LIMIT 1) r ON true;
  IF p_wait THEN
    PERFORM FROM api_keys WHERE id = ANY (v_req_key) AND account_id = ANY (v_acc) ORDER BY id
      FOR NO KEY UPDATE;
  END IF;
  SELECT array_agg(x.id) INTO v_key
    FROM (SELECT id FROM api_keys WHERE id = ANY (v_req_key) AND account_id = ANY (v_acc)
           ORDER BY id FOR NO KEY UPDATE SKIP LOCKED) x;

  FOR i IN 1 .. v_n LOOP
    a := array_position(v_acc, p_accounts[i]);
    IF a IS NULL THEN
      IF p_wait THEN verdicts[i] := 'missing'; END IF;
      CONTINUE;
    END IF;
    IF v_state[i] IS NULL THEN
      verdicts[i] := 'missing';
      v_bury := v_bury OR p_states[i] = 'released';
      CONTINUE;
    END IF;
    IF v_req_key[i] IS NOT NULL AND NOT p_wait AND v_req_key[i] = ANY (v_key) IS NOT TRUE THEN
      CONTINUE;
    END IF;
    v_cost := CASE WHEN p_states[i] = 'settled' THEN p_costs[i] ELSE 0 END;
    IF array_position(p_ids, p_ids[i]) < i OR v_state[i] NOT IN ('open', 'expired')
        OR (v_state[i] = 'expired' AND p_states[i] <> 'settled') THEN
      verdicts[i] := 'already';
      SELECT r.charged_nanos, r.shortfall_nanos INTO v_charge, v_cost FROM requests r
       WHERE r.account_id = p_accounts[i] AND r.id = p_ids[i];
      charged[i] := v_charge;
      shortfalls[i] := v_cost;
      CONTINUE;
    ELSIF v_state[i] = 'open' THEN
      v_release := v_held[i];
      v_charge := least(v_cost, v_release);
      verdicts[i] := p_states[i];
    ELSE
      v_release := 0;
      v_charge := least(v_cost, v_held[i], v_avail[a]);
      -- What the key's limits still allow, less what this batch has taken from them so far.
      SELECT least(v_charge, x.total_limit_nanos - x.total_spent_nanos - x.total_held_nanos - b.total,
          CASE WHEN v_placed[i]::date = x.day_start
            THEN x.day_limit_nanos - x.day_spent_nanos - x.day_held_nanos - b.day END,
          CASE WHEN date_trunc('week', v_placed[i])::date = x.week_start
            THEN x.week_limit_nanos - x.week_spent_nanos - x.week_held_nanos - b.week END,
          CASE WHEN date_trunc('month', v_placed[i])::date = x.month_start
            THEN x.month_limit_nanos - x.month_spent_nanos - x.month_held_nanos - b.month END)
        INTO v_charge
        FROM (VALUES (1)) c LEFT JOIN api_keys x ON x.id = v_req_key[i]
        CROSS JOIN LATERAL (
          SELECT coalesce(sum(u.net), 0) AS total,
              coalesce(sum(u.net) FILTER (WHERE u.placed::date = x.day_start), 0) AS day,
              coalesce(sum(u.net) FILTER (WHERE date_trunc('week', u.placed)::date = x.week_start), 0) AS week,
              coalesce(sum(u.net) FILTER (WHERE date_trunc('month', u.placed)::date = x.month_start), 0) AS month
            FROM (SELECT key_id, placed, charge - release AS net
                    FROM unnest(v_req_key, v_placed, charged, v_released, v_change)
                      t (key_id, placed, charge, release, change) WHERE change) u
           WHERE u.key_id = x.id) b;
      v_charge := greatest(v_charge, 0);
      verdicts[i] := 'late_settled';
    END IF;
    v_change[i] := true;
    charged[i] := v_charge;
    v_released[i] := v_release;
    v_cost_sum := v_cost_sum + v_cost;
    IF v_cost > v_charge THEN
      shortfalls[i] := v_cost - v_charge;
      v_shortfall_sum := v_shortfall_sum + v_cost - v_charge;
    END IF;
    v_avail[a] := v_avail[a] + v_release - v_charge;
    v_acc_charge[a] := v_acc_charge[a] + v_charge;
    v_acc_release[a] := v_acc_release[a] + v_release;
  END LOOP;

  IF true = ANY (v_change) THEN
    IF v_cost_sum > 0 THEN
      INSERT INTO ledger_transactions (id, kind, idempotency_key, actor)
        VALUES (p_transaction, 'usage', p_transaction::text, 'gateway');
      INSERT INTO entries (account_id, transaction_id, book, amount_nanos)
        SELECT v_acc[i], p_transaction, 'account', -v_acc_charge[i]
          FROM generate_series(1, cardinality(v_acc)) i WHERE v_acc_charge[i] > 0
        UNION ALL
        SELECT '00000000-0000-0000-0000-000000000000', p_transaction, u.book, u.amount
          FROM (VALUES ('usage_revenue', v_cost_sum), ('shortfall', -v_shortfall_sum)) u (book, amount)
         WHERE u.amount <> 0;
    END IF;
    UPDATE requests r SET
        state = verdicts[i], cost_nanos = charged[i] + shortfalls[i], charged_nanos = charged[i],
        shortfall_nanos = shortfalls[i],
        transaction_id = CASE WHEN charged[i] + shortfalls[i] > 0 THEN p_transaction END,
        prompt_tokens = p_prompt[i], completion_tokens = p_completion[i],
        cached_tokens = p_cached[i], cache_write_tokens = p_cache_write[i],
        reasoning_tokens = p_reasoning[i], usage_source = p_sources[i],
        max_tokens = p_max_tokens[i], status = p_status[i], outcome = p_outcomes[i],
        error_code = p_errors[i], finish_reason = p_finish[i], native_finish_reason = p_native[i],
        provider = coalesce(p_providers[i], r.provider), upstream_id = p_upstream_ids[i],
        attempts = p_attempts[i]::jsonb, first_byte_ms = p_first_byte_ms[i],
        overhead_ms = p_overhead_ms[i], total_ms = p_total_ms[i], ended_at = clock_timestamp()
      FROM generate_series(1, v_n) i
     WHERE r.account_id = p_accounts[i] AND r.id = p_ids[i] AND v_change[i]
       AND r.id BETWEEN v_first AND v_last;
    UPDATE accounts x SET
        balance_nanos = x.balance_nanos - v_acc_charge[i],
        held_nanos = x.held_nanos - v_acc_release[i],
        frozen_at = CASE
          WHEN x.balance_nanos - v_acc_charge[i] - x.held_nanos + v_acc_release[i] < 0
          THEN x.frozen_at END
      FROM generate_series(1, cardinality(v_acc)) i
     WHERE x.id = v_acc[i] AND (v_acc_charge[i] > 0 OR v_acc_release[i] > 0);
    -- A window of a key that has ended since the hold was placed is not touched.
    IF v_key IS NOT NULL THEN
      UPDATE api_keys x SET
          day_spent_nanos = x.day_spent_nanos + u.day_spent,
          day_held_nanos = x.day_held_nanos - u.day_held,
          week_spent_nanos = x.week_spent_nanos + u.week_spent,
          week_held_nanos = x.week_held_nanos - u.week_held,
          month_spent_nanos = x.month_spent_nanos + u.month_spent,
          month_held_nanos = x.month_held_nanos - u.month_held,
          total_spent_nanos = x.total_spent_nanos + u.total_spent,
          total_held_nanos = x.total_held_nanos - u.total_held
        FROM (
          SELECT y.id,
              coalesce(sum(t.charge) FILTER (WHERE t.day = y.day_start), 0) AS day_spent,
              coalesce(sum(t.release) FILTER (WHERE t.day = y.day_start), 0) AS day_held,
              coalesce(sum(t.charge) FILTER (WHERE t.week = y.week_start), 0) AS week_spent,
              coalesce(sum(t.release) FILTER (WHERE t.week = y.week_start), 0) AS week_held,
              coalesce(sum(t.charge) FILTER (WHERE t.month = y.month_start), 0) AS month_spent,
              coalesce(sum(t.release) FILTER (WHERE t.month = y.month_start), 0) AS month_held,
              sum(t.charge) AS total_spent, sum(t.release) AS total_held
            FROM (SELECT v_req_key[i] AS key_id, charged[i] AS charge, v_released[i] AS release,
                         v_placed[i]::date AS day, date_trunc('week', v_placed[i])::date AS week,
                         date_trunc('month', v_placed[i])::date AS month
                    FROM generate_series(1, v_n) i WHERE v_change[i]) t
            JOIN api_keys y ON y.id = t.key_id
           GROUP BY y.id) u
       WHERE x.id = u.id AND (u.total_spent > 0 OR u.total_held > 0);
    END IF;
  END IF;
  IF v_bury THEN
    INSERT INTO requests (account_id, id, state, status, outcome, error_code, ended_at)
      SELECT u.account_id, u.id, 'refused', u.status, u.outcome, u.error, clock_timestamp()
        FROM unnest(p_accounts, p_ids, p_states, verdicts, p_status, p_outcomes, p_errors)
          u (account_id, id, state, verdict, status, outcome, error)
       WHERE u.verdict = 'missing' AND u.state = 'released' AND u.account_id = ANY (v_acc)
      ON CONFLICT DO NOTHING;
  END IF;
END $$;
