-- The functions that own the money, the triggers that keep the books append-only and balanced,
-- and the rights of the role the server runs as. All money moves through these functions.

ALTER TABLE accounts SET (fillfactor = 50);
--> statement-breakpoint
ALTER TABLE api_keys SET (fillfactor = 50);
--> statement-breakpoint
CREATE TABLE requests_default PARTITION OF requests DEFAULT WITH (fillfactor = 70);
--> statement-breakpoint
-- The smallest UUIDv7 that can be made at an instant: 48 bits of milliseconds, then zeros.
CREATE FUNCTION uuid7_floor(p_at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT (lpad(to_hex((extract(epoch FROM p_at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;
--> statement-breakpoint
-- Makes the partition of this month and of the months ahead; returns how many it made. The server's
-- role may call it, hence SECURITY DEFINER.
CREATE FUNCTION ensure_request_partitions(p_months_ahead integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  v_month timestamptz;
  v_name text;
  v_made integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(7205759404);
  FOR i IN 0 .. p_months_ahead LOOP
    v_month := date_trunc('month', now() AT TIME ZONE 'utc') AT TIME ZONE 'utc';
    v_month := ((v_month AT TIME ZONE 'utc') + make_interval(months => i)) AT TIME ZONE 'utc';
    v_name := 'requests_' || to_char(v_month AT TIME ZONE 'utc', 'YYYY_MM');
    CONTINUE WHEN to_regclass(v_name) IS NOT NULL;
    EXECUTE format(
      'CREATE TABLE %I PARTITION OF requests FOR VALUES FROM (%L) TO (%L) WITH (fillfactor = 70)',
      v_name, uuid7_floor(v_month),
      uuid7_floor(((v_month AT TIME ZONE 'utc') + interval '1 month') AT TIME ZONE 'utc'));
    v_made := v_made + 1;
  END LOOP;
  RETURN v_made;
END $$;
--> statement-breakpoint
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END $$;
--> statement-breakpoint
CREATE TRIGGER entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER ledger_transactions_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_transactions
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER prices_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON prices
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
-- Every statement that writes entries writes whole transactions that exist: their sum is zero or it
-- fails. A foreign key would ask once per row what is asked here once per transaction, and those
-- are never deleted. A scalar subquery, because NOT EXISTS may be planned as a hash of the whole table.
CREATE FUNCTION refuse_unbalanced() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM written w GROUP BY w.transaction_id
             HAVING sum(w.amount_nanos) <> 0
                 OR (SELECT t.id FROM ledger_transactions t WHERE t.id = w.transaction_id) IS NULL) THEN
    RAISE EXCEPTION 'entries need a transaction and must sum to zero in it'
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER entries_balanced AFTER INSERT ON entries REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_unbalanced();
--> statement-breakpoint
-- A final state stays, except that an expired hold may be settled late, once. A trigger per row
-- would lock every row once more before its update.
CREATE FUNCTION refuse_reopening() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM was WHERE state <> 'open' AND (state <> 'expired' OR NOT EXISTS (
      SELECT FROM became b
       WHERE b.account_id = was.account_id AND b.id = was.id AND b.state = 'late_settled'))) THEN
    RAISE EXCEPTION 'a request that ended stays as it is' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER requests_end_once AFTER UPDATE ON requests
  REFERENCING OLD TABLE AS was NEW TABLE AS became
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_reopening();
--> statement-breakpoint
-- place_holds: reserves money for a batch of requests, in arrival order, under the locks of their
-- accounts and then their keys. Answers arrays, one element per request in the order given:
--   verdicts   held | busy | missing | suspended | frozen | key_revoked | clamped | balance
--              | in_flight | key_day | key_week | key_month | key_total
--   granted    what was reserved (0 unless held)
--   available  what the account and the key's limits would have allowed at that moment
--   resets_ms  when the key limit that said no starts anew, in Unix milliseconds
-- p_want is the most a request may cost and p_floor the least it is worth holding; p_halve takes at
-- most half of what is available; p_exact refuses (clamped) instead of granting less than p_want.
-- Without p_wait a locked account or key answers busy. p_retry looks for holds an earlier call with
-- an unknown outcome may have placed.
-- Every statement here costs more than the rows it touches: hence few of them. Subscripts of arrays
-- are cheaper than unnest, which stores each array as a table first.
CREATE FUNCTION place_holds(
  p_instance uuid, p_lifetime_ms bigint, p_wait boolean, p_retry boolean,
  p_ids uuid[], p_accounts uuid[], p_keys uuid[],
  p_want bigint[], p_floor bigint[], p_halve boolean[], p_exact boolean[],
  p_models text[], p_providers text[], p_prices uuid[], p_streamed boolean[],
  p_origins text[], p_traces text[], p_agents text[],
  OUT verdicts text[], OUT granted bigint[], OUT available bigint[], OUT resets_ms bigint[]
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off
SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_n integer := cardinality(p_ids);
  v_now timestamptz; v_today timestamp; v_day date; v_week date; v_month date;
  v_acc uuid[]; v_avail bigint[]; v_acc_held bigint[]; v_acc_stop text[]; v_acc_add bigint[];
  v_key uuid[]; v_key_acc uuid[]; v_key_live boolean[]; v_key_add bigint[];
  v_day_left bigint[]; v_week_left bigint[]; v_month_left bigint[]; v_total_left bigint[];
  v_old jsonb := '{}';
  a integer; k integer; v_left bigint; v_key_left bigint; v_floor bigint; v_grant bigint; v_no text;
  v_any boolean := false;
BEGIN
  verdicts := array_fill('busy'::text, ARRAY[v_n]);
  granted := array_fill(0::bigint, ARRAY[v_n]);
  available := granted;
  resets_ms := array_fill(NULL::bigint, ARRAY[v_n]);
  -- Accounts in id order, then keys in id order, so that no two batches wait for each other. What a
  -- locking SELECT returns is the row as it is once locked, also where it changed meanwhile.
  IF p_wait THEN
    PERFORM FROM accounts WHERE id = ANY (p_accounts) ORDER BY id FOR NO KEY UPDATE;
  END IF;
  SELECT array_agg(x.id), array_agg(x.balance_nanos - x.held_nanos), array_agg(x.held_nanos),
         array_agg(CASE WHEN x.suspended_at IS NOT NULL THEN 'suspended'
                        WHEN x.frozen_at IS NOT NULL THEN 'frozen' END)
    INTO v_acc, v_avail, v_acc_held, v_acc_stop
    FROM (SELECT * FROM accounts WHERE id = ANY (p_accounts) ORDER BY id
            FOR NO KEY UPDATE SKIP LOCKED) x;
  IF v_acc IS NULL THEN
    IF p_wait THEN verdicts := array_fill('missing'::text, ARRAY[v_n]); END IF;
    RETURN;
  END IF;
  -- Read under the locks, so that time never runs backwards between two holds of an account: one
  -- that waited over midnight belongs to the new day.
  v_now := clock_timestamp();
  v_today := v_now AT TIME ZONE 'utc';
  v_day := v_today::date;
  v_week := date_trunc('week', v_today)::date;
  v_month := date_trunc('month', v_today)::date;
  IF p_wait THEN
    PERFORM FROM api_keys WHERE id = ANY (p_keys) AND account_id = ANY (v_acc) ORDER BY id
      FOR NO KEY UPDATE;
  END IF;
  SELECT array_agg(x.id), array_agg(x.account_id),
         array_agg(x.revoked_at IS NULL OR x.revoked_at > v_now),
         array_agg(x.day_limit_nanos - CASE WHEN x.day_start = v_day
           THEN x.day_spent_nanos + x.day_held_nanos ELSE 0 END),
         array_agg(x.week_limit_nanos - CASE WHEN x.week_start = v_week
           THEN x.week_spent_nanos + x.week_held_nanos ELSE 0 END),
         array_agg(x.month_limit_nanos - CASE WHEN x.month_start = v_month
           THEN x.month_spent_nanos + x.month_held_nanos ELSE 0 END),
         array_agg(x.total_limit_nanos - x.total_spent_nanos - x.total_held_nanos)
    INTO v_key, v_key_acc, v_key_live, v_day_left, v_week_left, v_month_left, v_total_left
    FROM (SELECT * FROM api_keys WHERE id = ANY (p_keys) AND account_id = ANY (v_acc) ORDER BY id
            FOR NO KEY UPDATE SKIP LOCKED) x;
  v_acc_add := array_fill(0::bigint, ARRAY[cardinality(v_acc)]);
  IF v_key IS NOT NULL THEN v_key_add := array_fill(0::bigint, ARRAY[cardinality(v_key)]); END IF;
  IF p_retry THEN
    SELECT coalesce(jsonb_object_agg(r.id, jsonb_build_object('state', r.state, 'held', r.held_nanos)), '{}')
      INTO v_old
      FROM unnest(p_accounts, p_ids) u (account_id, id)
      JOIN requests r ON r.account_id = u.account_id AND r.id = u.id;
  END IF;

  FOR i IN 1 .. v_n LOOP
    a := array_position(v_acc, p_accounts[i]);
    IF a IS NULL THEN
      IF p_wait THEN verdicts[i] := 'missing'; END IF;
      CONTINUE;
    END IF;
    IF p_retry AND v_old ? p_ids[i]::text THEN
      verdicts[i] := CASE WHEN v_old -> p_ids[i]::text ->> 'state' = 'open' THEN 'held' ELSE 'missing' END;
      granted[i] := (v_old -> p_ids[i]::text ->> 'held')::bigint;
      CONTINUE;
    END IF;
    IF v_acc_stop[a] IS NOT NULL THEN
      verdicts[i] := v_acc_stop[a];
      CONTINUE;
    END IF;
    IF p_want[i] < 0 OR p_floor[i] < 0 THEN
      RAISE EXCEPTION 'request % wants a negative hold', p_ids[i] USING ERRCODE = 'check_violation';
    END IF;
    k := array_position(v_key, p_keys[i]);
    v_left := v_avail[a];
    IF k IS NOT NULL AND v_key_acc[k] = p_accounts[i] THEN
      IF NOT v_key_live[k] THEN
        verdicts[i] := 'key_revoked';
        CONTINUE;
      END IF;
      -- NULL where the key has no limit at all.
      v_key_left := least(v_day_left[k], v_week_left[k], v_month_left[k], v_total_left[k]) - v_key_add[k];
      v_left := least(v_left, v_key_left);
    ELSIF p_keys[i] IS NOT NULL THEN
      IF p_wait OR k IS NOT NULL THEN verdicts[i] := 'missing'; END IF;
      CONTINUE;
    END IF;
    v_floor := least(p_floor[i], p_want[i]);
    v_left := greatest(v_left, 0);
    available[i] := v_left;
    v_grant := least(p_want[i], CASE WHEN p_halve[i] THEN greatest(v_left / 2, least(v_left, v_floor))
                                     ELSE v_left END);
    IF v_grant < v_floor THEN
      v_no := CASE WHEN k IS NULL OR v_key_left IS NULL OR v_avail[a] <= v_key_left THEN 'balance'
                   WHEN v_day_left[k] - v_key_add[k] = v_key_left THEN 'key_day'
                   WHEN v_week_left[k] - v_key_add[k] = v_key_left THEN 'key_week'
                   WHEN v_month_left[k] - v_key_add[k] = v_key_left THEN 'key_month'
                   ELSE 'key_total' END;
      verdicts[i] := CASE
        WHEN v_no = 'balance' AND v_acc_held[a] + v_left >= v_floor THEN 'in_flight' ELSE v_no END;
      resets_ms[i] := 1000 * extract(epoch FROM CASE v_no
        WHEN 'key_day' THEN (v_day + 1)::timestamp AT TIME ZONE 'utc'
        WHEN 'key_week' THEN (v_week + 7)::timestamp AT TIME ZONE 'utc'
        WHEN 'key_month' THEN (v_month + interval '1 month') AT TIME ZONE 'utc' END);
      CONTINUE;
    END IF;
    IF p_exact[i] AND v_grant < p_want[i] THEN
      verdicts[i] := 'clamped';
      CONTINUE;
    END IF;
    verdicts[i] := 'held';
    granted[i] := v_grant;
    v_any := true;
    v_avail[a] := v_avail[a] - v_grant;
    v_acc_held[a] := v_acc_held[a] + v_grant;
    v_acc_add[a] := v_acc_add[a] + v_grant;
    IF k IS NOT NULL THEN v_key_add[k] := v_key_add[k] + v_grant; END IF;
  END LOOP;

  IF v_any THEN
    INSERT INTO requests (account_id, id, key_id, instance_id, state, origin, trace_id, model,
                          provider, price_id, streamed, user_agent, held_nanos, placed_at, expires_at)
      SELECT p_accounts[i], p_ids[i], p_keys[i], p_instance, 'open', p_origins[i], p_traces[i],
             p_models[i], p_providers[i], p_prices[i], p_streamed[i], p_agents[i], granted[i], v_now,
             v_now + p_lifetime_ms * interval '1 millisecond'
        FROM generate_series(1, v_n) i
       WHERE verdicts[i] = 'held' AND (NOT p_retry OR NOT v_old ? p_ids[i]::text);
    UPDATE accounts x SET held_nanos = x.held_nanos + v_acc_add[i]
      FROM generate_series(1, cardinality(v_acc)) i WHERE x.id = v_acc[i] AND v_acc_add[i] > 0;
    UPDATE api_keys x SET
        day_spent_nanos = CASE WHEN x.day_start = v_day THEN x.day_spent_nanos ELSE 0 END,
        day_held_nanos = CASE WHEN x.day_start = v_day THEN x.day_held_nanos ELSE 0 END + v_key_add[i],
        day_start = v_day,
        week_spent_nanos = CASE WHEN x.week_start = v_week THEN x.week_spent_nanos ELSE 0 END,
        week_held_nanos = CASE WHEN x.week_start = v_week THEN x.week_held_nanos ELSE 0 END + v_key_add[i],
        week_start = v_week,
        month_spent_nanos = CASE WHEN x.month_start = v_month THEN x.month_spent_nanos ELSE 0 END,
        month_held_nanos =
          CASE WHEN x.month_start = v_month THEN x.month_held_nanos ELSE 0 END + v_key_add[i],
        month_start = v_month,
        total_held_nanos = x.total_held_nanos + v_key_add[i],
        last_used_at = v_now
      FROM generate_series(1, cardinality(v_key)) i WHERE x.id = v_key[i] AND v_key_add[i] > 0;
  END IF;
END $$;
--> statement-breakpoint
-- settle_holds: ends a batch of holds under the locks of their accounts and then their keys.
-- p_states says how each ends: settled (charge p_costs), released or expired (charge nothing).
-- Answers arrays, one element per request in the order given:
--   verdicts   settled | released | expired | late_settled | already | missing | busy
--   charged    what the account paid; never more than was held, unless settled late, and then
--              never more than the account and the key's limits still allow
--   shortfalls the part of the cost nobody could be charged for
--              (both of `already` as they were then: its caller may never have heard of them)
-- The batch is one ledger transaction with the id p_transaction. Releasing a hold that is missing
-- takes its id, so that an insert that is still on its way can no longer commit.
CREATE FUNCTION settle_holds(
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
  -- The span of the ids keeps a batch out of the partitions of all other months; LIMIT has each
  -- looked up by its whole key, or all accounts would be skipped through for that span.
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
      v_charge := least(v_cost, v_avail[a]);
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
--> statement-breakpoint
-- post_movement: moves money between an account and one of the house's books, once per key.
-- Answers posted = false where the key was used before, and then the transaction it made.
-- A balance that no longer covers the holds freezes the account; one that does again unfreezes it.
CREATE FUNCTION post_movement(
  p_transaction uuid, p_kind text, p_key text, p_reason text, p_actor text,
  p_account uuid, p_amount bigint, p_book text
) RETURNS TABLE (posted boolean, transaction_id uuid, balance bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  v_balance bigint;
  v_transaction uuid;
BEGIN
  SELECT balance_nanos INTO v_balance FROM accounts WHERE id = p_account FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'account % does not exist', p_account USING ERRCODE = 'no_data_found';
  END IF;
  INSERT INTO ledger_transactions (id, kind, idempotency_key, reason, actor)
    VALUES (p_transaction, p_kind, p_key, p_reason, p_actor)
    ON CONFLICT (idempotency_key) DO NOTHING;
  IF NOT FOUND THEN
    SELECT id INTO v_transaction FROM ledger_transactions WHERE idempotency_key = p_key;
    RETURN QUERY SELECT false, v_transaction, v_balance;
    RETURN;
  END IF;
  INSERT INTO entries (account_id, transaction_id, book, amount_nanos) VALUES
    (p_account, p_transaction, 'account', p_amount),
    ('00000000-0000-0000-0000-000000000000', p_transaction, p_book, -p_amount);
  UPDATE accounts SET
      balance_nanos = balance_nanos + p_amount,
      frozen_at = CASE WHEN balance_nanos + p_amount - held_nanos < 0 THEN coalesce(frozen_at, now()) END
    WHERE id = p_account RETURNING balance_nanos INTO v_balance;
  RETURN QUERY SELECT true, p_transaction, v_balance;
END $$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION place_holds, settle_holds, post_movement,
  ensure_request_partitions FROM PUBLIC;
--> statement-breakpoint
-- The role the server runs as. Where the migrating role may not create roles, an administrator
-- creates turnpike_app first, or the server runs as the owner and the triggers alone protect.
DO $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'turnpike_app') THEN
    BEGIN
      CREATE ROLE turnpike_app NOLOGIN;
    EXCEPTION
      WHEN insufficient_privilege THEN RAISE NOTICE 'role turnpike_app not created';
      WHEN duplicate_object OR unique_violation THEN NULL;
    END;
  END IF;
  IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'turnpike_app') THEN
    GRANT USAGE ON SCHEMA public TO turnpike_app;
    GRANT SELECT ON ALL TABLES IN SCHEMA public TO turnpike_app;
    GRANT INSERT, UPDATE, DELETE ON persons, memberships, instances TO turnpike_app;
    GRANT INSERT (id, name), UPDATE (name, suspended_at) ON accounts TO turnpike_app;
    GRANT INSERT, UPDATE ON api_keys TO turnpike_app;
    GRANT INSERT ON prices, requests TO turnpike_app;
    GRANT EXECUTE ON FUNCTION place_holds, settle_holds, post_movement, ensure_request_partitions
      TO turnpike_app;
  END IF;
END $$;
