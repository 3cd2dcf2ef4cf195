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
-- Every statement that writes entries writes whole transactions: their sum is zero or it fails.
CREATE FUNCTION refuse_unbalanced() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM written GROUP BY transaction_id HAVING sum(amount_nanos) <> 0) THEN
    RAISE EXCEPTION 'entries of a transaction must sum to zero' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER entries_balanced AFTER INSERT ON entries REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_unbalanced();
--> statement-breakpoint
-- A final state stays, except that an expired hold may be settled late, once.
CREATE FUNCTION refuse_reopening() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'request % is % and cannot become %', OLD.id, OLD.state, NEW.state
    USING ERRCODE = 'restrict_violation';
END $$;
--> statement-breakpoint
CREATE TRIGGER requests_end_once BEFORE UPDATE ON requests FOR EACH ROW
  WHEN (OLD.state <> 'open' AND NOT (OLD.state = 'expired' AND NEW.state = 'late_settled'))
  EXECUTE FUNCTION refuse_reopening();
--> statement-breakpoint
-- Locks accounts (keys) in id order and returns the ids it locked, in that order. Accounts always
-- come before keys, so that no two batches wait for each other. Without p_wait it passes over those
-- that somebody else has locked.
CREATE FUNCTION lock_accounts(p_ids uuid[], p_wait boolean) RETURNS uuid[] LANGUAGE plpgsql AS $$
BEGIN
  IF p_wait THEN
    RETURN (SELECT array_agg(x.id) FROM
      (SELECT id FROM accounts WHERE id = ANY (p_ids) ORDER BY id FOR NO KEY UPDATE) x);
  END IF;
  RETURN (SELECT array_agg(x.id) FROM
    (SELECT id FROM accounts WHERE id = ANY (p_ids) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED) x);
END $$;
--> statement-breakpoint
CREATE FUNCTION lock_keys(p_accounts uuid[], p_ids uuid[], p_wait boolean) RETURNS uuid[]
LANGUAGE plpgsql AS $$
BEGIN
  IF p_wait THEN
    RETURN (SELECT array_agg(x.id) FROM
      (SELECT id FROM api_keys WHERE id = ANY (p_ids) AND account_id = ANY (p_accounts)
        ORDER BY id FOR NO KEY UPDATE) x);
  END IF;
  RETURN (SELECT array_agg(x.id) FROM
    (SELECT id FROM api_keys WHERE id = ANY (p_ids) AND account_id = ANY (p_accounts)
      ORDER BY id FOR NO KEY UPDATE SKIP LOCKED) x);
END $$;
--> statement-breakpoint
-- place_holds: reserves money for a batch of requests, in arrival order, under the locks of their
-- accounts and then their keys. Answers, per request and in the order given:
--   verdict    held | busy | missing | suspended | frozen | key_revoked | clamped | balance
--              | in_flight | key_day | key_week | key_month | key_total
--   granted    what was reserved (0 unless held)
--   available  what the account and the key's limits would have allowed at that moment
--   resets_at  when the key limit that said no starts anew
-- p_want is the most a request may cost and p_floor the least it is worth holding; p_halve takes at
-- most half of what is available; p_exact refuses (clamped) instead of granting less than p_want.
-- Without p_wait a locked account or key answers busy. p_retry looks for holds an earlier call with
-- an unknown outcome may have placed.
CREATE FUNCTION place_holds(
  p_instance uuid, p_lifetime_ms bigint, p_wait boolean, p_retry boolean,
  p_ids uuid[], p_accounts uuid[], p_keys uuid[],
  p_want bigint[], p_floor bigint[], p_halve boolean[], p_exact boolean[],
  p_models text[], p_providers text[], p_prices uuid[], p_streamed boolean[],
  p_origins text[], p_traces text[], p_agents text[]
) RETURNS TABLE (verdict text, granted bigint, available bigint, resets_at timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_n integer := cardinality(p_ids);
  v_now timestamptz; v_today timestamp; v_day date; v_week date; v_month date;
  v_acc uuid[]; v_avail bigint[]; v_acc_held bigint[]; v_acc_stop text[]; v_acc_add bigint[];
  v_key uuid[]; v_key_acc uuid[]; v_key_live boolean[]; v_key_add bigint[];
  v_day_left bigint[]; v_week_left bigint[]; v_month_left bigint[]; v_total_left bigint[];
  v_old jsonb := '{}';
  v_verdict text[] := array_fill('busy'::text, ARRAY[v_n]);
  v_granted bigint[] := array_fill(0::bigint, ARRAY[v_n]);
  v_available bigint[] := array_fill(0::bigint, ARRAY[v_n]);
  v_fresh boolean[] := array_fill(false, ARRAY[v_n]);
  v_resets timestamptz[] := array_fill(NULL::timestamptz, ARRAY[v_n]);
  a integer; k integer; v_left bigint; v_floor bigint; v_no text; v_grant bigint;
  v_any boolean := false;
BEGIN
  v_acc := lock_accounts(p_accounts, p_wait);
  IF v_acc IS NULL THEN
    IF p_wait THEN v_verdict := array_fill('missing'::text, ARRAY[v_n]); END IF;
    RETURN QUERY SELECT * FROM unnest(v_verdict, v_granted, v_available, v_resets);
    RETURN;
  END IF;
  -- Read under the locks, so that time never runs backwards between two holds of an account: one
  -- that waited over midnight belongs to the new day.
  v_now := clock_timestamp();
  v_today := v_now AT TIME ZONE 'utc';
  v_day := v_today::date;
  v_week := date_trunc('week', v_today)::date;
  v_month := date_trunc('month', v_today)::date;
  v_key := lock_keys(v_acc, p_keys, p_wait);
  SELECT array_agg(x.balance_nanos - x.held_nanos ORDER BY u.n),
         array_agg(x.held_nanos ORDER BY u.n),
         array_agg(CASE WHEN x.suspended_at IS NOT NULL THEN 'suspended'
                        WHEN x.frozen_at IS NOT NULL THEN 'frozen' END ORDER BY u.n)
    INTO v_avail, v_acc_held, v_acc_stop
    FROM unnest(v_acc) WITH ORDINALITY u (id, n) JOIN accounts x ON x.id = u.id;
  SELECT array_agg(x.account_id ORDER BY u.n),
         array_agg(x.revoked_at IS NULL OR x.revoked_at > v_now ORDER BY u.n),
         array_agg(x.day_limit_nanos - CASE WHEN x.day_start = v_day
           THEN x.day_spent_nanos + x.day_held_nanos ELSE 0 END ORDER BY u.n),
         array_agg(x.week_limit_nanos - CASE WHEN x.week_start = v_week
           THEN x.week_spent_nanos + x.week_held_nanos ELSE 0 END ORDER BY u.n),
         array_agg(x.month_limit_nanos - CASE WHEN x.month_start = v_month
           THEN x.month_spent_nanos + x.month_held_nanos ELSE 0 END ORDER BY u.n),
         array_agg(x.total_limit_nanos - x.total_spent_nanos - x.total_held_nanos ORDER BY u.n)
    INTO v_key_acc, v_key_live, v_day_left, v_week_left, v_month_left, v_total_left
    FROM unnest(v_key) WITH ORDINALITY u (id, n) JOIN api_keys x ON x.id = u.id;
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
      IF p_wait THEN v_verdict[i] := 'missing'; END IF;
      CONTINUE;
    END IF;
    IF p_retry AND v_old ? p_ids[i]::text THEN
      v_verdict[i] := CASE WHEN v_old -> p_ids[i]::text ->> 'state' = 'open' THEN 'held' ELSE 'missing' END;
      v_granted[i] := (v_old -> p_ids[i]::text ->> 'held')::bigint;
      CONTINUE;
    END IF;
    IF v_acc_stop[a] IS NOT NULL THEN
      v_verdict[i] := v_acc_stop[a];
      CONTINUE;
    END IF;
    k := NULL;
    IF p_keys[i] IS NOT NULL THEN
      k := array_position(v_key, p_keys[i]);
      IF k IS NULL OR v_key_acc[k] <> p_accounts[i] THEN
        IF p_wait OR k IS NOT NULL THEN v_verdict[i] := 'missing'; END IF;
        CONTINUE;
      END IF;
      IF NOT v_key_live[k] THEN
        v_verdict[i] := 'key_revoked';
        CONTINUE;
      END IF;
    END IF;
    IF p_want[i] < 0 OR p_floor[i] < 0 THEN
      RAISE EXCEPTION 'request % wants a negative hold', p_ids[i] USING ERRCODE = 'check_violation';
    END IF;
    v_floor := least(p_floor[i], p_want[i]);
    v_left := v_avail[a];
    v_no := 'balance';
    IF k IS NOT NULL THEN
      IF v_day_left[k] - v_key_add[k] < v_left THEN
        v_left := v_day_left[k] - v_key_add[k]; v_no := 'key_day';
      END IF;
      IF v_week_left[k] - v_key_add[k] < v_left THEN
        v_left := v_week_left[k] - v_key_add[k]; v_no := 'key_week';
      END IF;
      IF v_month_left[k] - v_key_add[k] < v_left THEN
        v_left := v_month_left[k] - v_key_add[k]; v_no := 'key_month';
      END IF;
      IF v_total_left[k] - v_key_add[k] < v_left THEN
        v_left := v_total_left[k] - v_key_add[k]; v_no := 'key_total';
      END IF;
    END IF;
    v_left := greatest(v_left, 0);
    v_available[i] := v_left;
    v_grant := least(p_want[i], CASE WHEN p_halve[i] THEN greatest(v_left / 2, least(v_left, v_floor))
                                     ELSE v_left END);
    IF v_grant < v_floor THEN
      v_verdict[i] := CASE
        WHEN v_no = 'balance' AND v_acc_held[a] + v_left >= v_floor THEN 'in_flight' ELSE v_no END;
      v_resets[i] := CASE v_no
        WHEN 'key_day' THEN (v_day + 1)::timestamp AT TIME ZONE 'utc'
        WHEN 'key_week' THEN (v_week + 7)::timestamp AT TIME ZONE 'utc'
        WHEN 'key_month' THEN (v_month + interval '1 month') AT TIME ZONE 'utc' END;
      CONTINUE;
    END IF;
    IF p_exact[i] AND v_grant < p_want[i] THEN
      v_verdict[i] := 'clamped';
      CONTINUE;
    END IF;
    v_verdict[i] := 'held';
    v_granted[i] := v_grant;
    v_fresh[i] := true;
    v_any := true;
    v_avail[a] := v_avail[a] - v_grant;
    v_acc_held[a] := v_acc_held[a] + v_grant;
    v_acc_add[a] := v_acc_add[a] + v_grant;
    IF k IS NOT NULL THEN v_key_add[k] := v_key_add[k] + v_grant; END IF;
  END LOOP;

  IF v_any THEN
    INSERT INTO requests (account_id, id, key_id, instance_id, state, origin, trace_id, model,
                          provider, price_id, streamed, user_agent, held_nanos, placed_at, expires_at)
      SELECT u.account_id, u.id, u.key_id, p_instance, 'open', u.origin, u.trace_id, u.model,
             u.provider, u.price_id, u.streamed, u.user_agent, u.held, v_now,
             v_now + p_lifetime_ms * interval '1 millisecond'
        FROM unnest(p_accounts, p_ids, p_keys, p_origins, p_traces, p_models, p_providers, p_prices,
                    p_streamed, p_agents, v_granted, v_fresh)
          u (account_id, id, key_id, origin, trace_id, model, provider, price_id, streamed,
             user_agent, held, fresh)
       WHERE u.fresh;
    UPDATE accounts SET held_nanos = held_nanos + u.add
      FROM unnest(v_acc, v_acc_add) u (id, add) WHERE accounts.id = u.id AND u.add > 0;
    UPDATE api_keys x SET
        day_spent_nanos = CASE WHEN x.day_start = v_day THEN x.day_spent_nanos ELSE 0 END,
        day_held_nanos = CASE WHEN x.day_start = v_day THEN x.day_held_nanos ELSE 0 END + u.add,
        day_start = v_day,
        week_spent_nanos = CASE WHEN x.week_start = v_week THEN x.week_spent_nanos ELSE 0 END,
        week_held_nanos = CASE WHEN x.week_start = v_week THEN x.week_held_nanos ELSE 0 END + u.add,
        week_start = v_week,
        month_spent_nanos = CASE WHEN x.month_start = v_month THEN x.month_spent_nanos ELSE 0 END,
        month_held_nanos = CASE WHEN x.month_start = v_month THEN x.month_held_nanos ELSE 0 END + u.add,
        month_start = v_month,
        total_held_nanos = x.total_held_nanos + u.add,
        last_used_at = v_now
      FROM unnest(v_key, v_key_add) u (id, add) WHERE x.id = u.id AND u.add > 0;
  END IF;
  RETURN QUERY SELECT * FROM unnest(v_verdict, v_granted, v_available, v_resets);
END $$;
--> statement-breakpoint
-- settle_holds: ends a batch of holds under the locks of their accounts and then their keys.
-- p_states says how each ends: settled (charge p_costs), released or expired (charge nothing).
-- Answers, per request and in the order given:
--   verdict    settled | released | expired | late_settled | already | missing | busy
--   charged    what the account paid; never more than was held, unless settled late, and then
--              never more than the account and the key's limits still allow
--   shortfall  the part of the cost nobody could be charged for
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
  p_total_ms real[]
) RETURNS TABLE (verdict text, charged bigint, shortfall bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_n integer := cardinality(p_ids); v_first uuid; v_last uuid;
  v_acc uuid[]; v_avail bigint[]; v_acc_charge bigint[]; v_acc_release bigint[];
  v_state text[]; v_held bigint[]; v_req_key uuid[]; v_placed timestamp[];
  v_key uuid[]; v_key_day date[]; v_key_week date[]; v_key_month date[];
  v_day_spent bigint[]; v_day_held bigint[]; v_week_spent bigint[]; v_week_held bigint[];
  v_month_spent bigint[]; v_month_held bigint[]; v_total_spent bigint[]; v_total_held bigint[];
  v_verdict text[] := array_fill('busy'::text, ARRAY[v_n]);
  v_charged bigint[] := array_fill(0::bigint, ARRAY[v_n]);
  v_shortfall bigint[] := array_fill(0::bigint, ARRAY[v_n]);
  v_change boolean[] := array_fill(false, ARRAY[v_n]);
  v_cost_sum bigint := 0; v_shortfall_sum bigint := 0;
  v_any boolean := false; v_bury boolean := false;
  a integer; k integer; v_charge bigint; v_release bigint; v_cost bigint;
BEGIN
  v_acc := lock_accounts(p_accounts, p_wait);
  IF v_acc IS NULL THEN
    IF p_wait THEN v_verdict := array_fill('missing'::text, ARRAY[v_n]); END IF;
    RETURN QUERY SELECT * FROM unnest(v_verdict, v_charged, v_shortfall);
    RETURN;
  END IF;
  -- The span of the ids keeps a small batch out of the partitions of all other months.
  SELECT x.ids[1], x.ids[v_n] INTO v_first, v_last
    FROM (SELECT array_agg(id ORDER BY id) AS ids FROM unnest(p_ids) u (id)) x;
  SELECT array_agg(CASE WHEN u.copy > 1 THEN 'repeated' ELSE r.state END ORDER BY u.n),
         array_agg(r.held_nanos ORDER BY u.n), array_agg(r.key_id ORDER BY u.n),
         array_agg(r.placed_at AT TIME ZONE 'utc' ORDER BY u.n)
    INTO v_state, v_held, v_req_key, v_placed
    FROM (SELECT t.*, row_number() OVER (PARTITION BY t.id ORDER BY t.n) AS copy
            FROM unnest(p_accounts, p_ids) WITH ORDINALITY t (account_id, id, n)) u
    LEFT JOIN requests r ON r.account_id = u.account_id AND r.id = u.id
      AND r.id BETWEEN v_first AND v_last;
  v_key := lock_keys(v_acc, v_req_key, p_wait);
  SELECT array_agg(x.balance_nanos - x.held_nanos ORDER BY u.n) INTO v_avail
    FROM unnest(v_acc) WITH ORDINALITY u (id, n) JOIN accounts x ON x.id = u.id;
  SELECT array_agg(x.day_start ORDER BY u.n), array_agg(x.week_start ORDER BY u.n),
         array_agg(x.month_start ORDER BY u.n)
    INTO v_key_day, v_key_week, v_key_month
    FROM unnest(v_key) WITH ORDINALITY u (id, n) JOIN api_keys x ON x.id = u.id;
  v_acc_charge := array_fill(0::bigint, ARRAY[cardinality(v_acc)]);
  v_acc_release := v_acc_charge;
  IF v_key IS NOT NULL THEN
    v_day_spent := array_fill(0::bigint, ARRAY[cardinality(v_key)]);
    v_day_held := v_day_spent; v_week_spent := v_day_spent; v_week_held := v_day_spent;
    v_month_spent := v_day_spent; v_month_held := v_day_spent;
    v_total_spent := v_day_spent; v_total_held := v_day_spent;
  END IF;

  FOR i IN 1 .. v_n LOOP
    a := array_position(v_acc, p_accounts[i]);
    IF a IS NULL THEN
      IF p_wait THEN v_verdict[i] := 'missing'; END IF;
      CONTINUE;
    END IF;
    IF v_state[i] IS NULL THEN
      v_verdict[i] := 'missing';
      v_bury := v_bury OR p_states[i] = 'released';
      CONTINUE;
    END IF;
    k := NULL;
    IF v_req_key[i] IS NOT NULL THEN
      k := array_position(v_key, v_req_key[i]);
      IF k IS NULL AND NOT p_wait THEN CONTINUE; END IF;
    END IF;
    v_cost := CASE WHEN p_states[i] = 'settled' THEN p_costs[i] ELSE 0 END;
    IF v_state[i] = 'open' THEN
      v_release := v_held[i];
      v_charge := least(v_cost, v_release);
      v_verdict[i] := p_states[i];
    ELSIF v_state[i] = 'expired' AND p_states[i] = 'settled' THEN
      v_release := 0;
      v_charge := least(v_cost, v_avail[a]);
      IF k IS NOT NULL THEN
        SELECT least(v_charge,
            x.total_limit_nanos - x.total_spent_nanos - x.total_held_nanos
              - v_total_spent[k] + v_total_held[k],
            CASE WHEN v_placed[i]::date = x.day_start THEN x.day_limit_nanos
              - x.day_spent_nanos - x.day_held_nanos - v_day_spent[k] + v_day_held[k] END,
            CASE WHEN date_trunc('week', v_placed[i])::date = x.week_start THEN x.week_limit_nanos
              - x.week_spent_nanos - x.week_held_nanos - v_week_spent[k] + v_week_held[k] END,
            CASE WHEN date_trunc('month', v_placed[i])::date = x.month_start THEN x.month_limit_nanos
              - x.month_spent_nanos - x.month_held_nanos - v_month_spent[k] + v_month_held[k] END)
          INTO v_charge FROM api_keys x WHERE x.id = v_key[k];
      END IF;
      v_charge := greatest(v_charge, 0);
      v_verdict[i] := 'late_settled';
    ELSE
      v_verdict[i] := 'already';
      SELECT r.charged_nanos, r.shortfall_nanos INTO v_charge, v_cost FROM requests r
       WHERE r.account_id = p_accounts[i] AND r.id = p_ids[i];
      v_charged[i] := v_charge;
      v_shortfall[i] := v_cost;
      CONTINUE;
    END IF;
    v_change[i] := true;
    v_any := true;
    v_charged[i] := v_charge;
    v_shortfall[i] := v_cost - v_charge;
    v_cost_sum := v_cost_sum + v_cost;
    v_shortfall_sum := v_shortfall_sum + v_shortfall[i];
    v_avail[a] := v_avail[a] + v_release - v_charge;
    v_acc_charge[a] := v_acc_charge[a] + v_charge;
    v_acc_release[a] := v_acc_release[a] + v_release;
    IF k IS NOT NULL THEN
      IF v_placed[i]::date = v_key_day[k] THEN
        v_day_spent[k] := v_day_spent[k] + v_charge;
        v_day_held[k] := v_day_held[k] + v_release;
      END IF;
      IF date_trunc('week', v_placed[i])::date = v_key_week[k] THEN
        v_week_spent[k] := v_week_spent[k] + v_charge;
        v_week_held[k] := v_week_held[k] + v_release;
      END IF;
      IF date_trunc('month', v_placed[i])::date = v_key_month[k] THEN
        v_month_spent[k] := v_month_spent[k] + v_charge;
        v_month_held[k] := v_month_held[k] + v_release;
      END IF;
      v_total_spent[k] := v_total_spent[k] + v_charge;
      v_total_held[k] := v_total_held[k] + v_release;
    END IF;
  END LOOP;

  IF v_any THEN
    IF v_cost_sum > 0 THEN
      INSERT INTO ledger_transactions (id, kind, idempotency_key, actor)
        VALUES (p_transaction, 'usage', p_transaction::text, 'gateway');
      INSERT INTO entries (account_id, transaction_id, book, amount_nanos)
        SELECT u.id, p_transaction, 'account', -u.charge
          FROM unnest(v_acc, v_acc_charge) u (id, charge) WHERE u.charge > 0
        UNION ALL
        SELECT '00000000-0000-0000-0000-000000000000', p_transaction, 'usage_revenue', v_cost_sum
        UNION ALL
        SELECT '00000000-0000-0000-0000-000000000000', p_transaction, 'shortfall', -v_shortfall_sum
         WHERE v_shortfall_sum > 0;
    END IF;
    UPDATE requests r SET
        state = u.state, cost_nanos = u.charged + u.shortfall, charged_nanos = u.charged,
        shortfall_nanos = u.shortfall,
        transaction_id = CASE WHEN u.charged + u.shortfall > 0 THEN p_transaction END,
        prompt_tokens = u.prompt, completion_tokens = u.completion, cached_tokens = u.cached,
        cache_write_tokens = u.cache_write, reasoning_tokens = u.reasoning, usage_source = u.source,
        max_tokens = u.max_tokens, status = u.status, outcome = u.outcome, error_code = u.error,
        finish_reason = u.finish, native_finish_reason = u.native,
        provider = coalesce(u.provider, r.provider), upstream_id = u.upstream_id,
        attempts = u.attempts::jsonb, first_byte_ms = u.first_byte_ms, overhead_ms = u.overhead_ms,
        total_ms = u.total_ms, ended_at = clock_timestamp()
      FROM unnest(p_accounts, p_ids, v_verdict, v_charged, v_shortfall, v_change, p_prompt,
                  p_completion, p_cached, p_cache_write, p_reasoning, p_sources, p_max_tokens,
                  p_status, p_outcomes, p_errors, p_finish, p_native, p_providers, p_upstream_ids,
                  p_attempts, p_first_byte_ms, p_overhead_ms, p_total_ms)
        u (account_id, id, state, charged, shortfall, change, prompt, completion, cached,
           cache_write, reasoning, source, max_tokens, status, outcome, error, finish, native,
           provider, upstream_id, attempts, first_byte_ms, overhead_ms, total_ms)
     WHERE r.account_id = u.account_id AND r.id = u.id AND u.change
       AND r.id BETWEEN v_first AND v_last;
    UPDATE accounts SET
        balance_nanos = balance_nanos - u.charge, held_nanos = held_nanos - u.release,
        frozen_at = CASE WHEN balance_nanos - u.charge - held_nanos + u.release >= 0 THEN NULL
                         ELSE frozen_at END
      FROM unnest(v_acc, v_acc_charge, v_acc_release) u (id, charge, release)
     WHERE accounts.id = u.id AND (u.charge > 0 OR u.release > 0);
    UPDATE api_keys x SET
        day_spent_nanos = x.day_spent_nanos + u.day_spent,
        day_held_nanos = x.day_held_nanos - u.day_held,
        week_spent_nanos = x.week_spent_nanos + u.week_spent,
        week_held_nanos = x.week_held_nanos - u.week_held,
        month_spent_nanos = x.month_spent_nanos + u.month_spent,
        month_held_nanos = x.month_held_nanos - u.month_held,
        total_spent_nanos = x.total_spent_nanos + u.total_spent,
        total_held_nanos = x.total_held_nanos - u.total_held
      FROM unnest(v_key, v_day_spent, v_day_held, v_week_spent, v_week_held, v_month_spent,
                  v_month_held, v_total_spent, v_total_held)
        u (id, day_spent, day_held, week_spent, week_held, month_spent, month_held, total_spent,
           total_held)
     WHERE x.id = u.id AND (u.total_spent > 0 OR u.total_held > 0);
  END IF;
  IF v_bury THEN
    INSERT INTO requests (account_id, id, state, status, outcome, error_code, ended_at)
      SELECT u.account_id, u.id, 'refused', u.status, u.outcome, u.error, clock_timestamp()
        FROM unnest(p_accounts, p_ids, p_states, v_verdict, p_status, p_outcomes, p_errors)
          u (account_id, id, state, verdict, status, outcome, error)
       WHERE u.verdict = 'missing' AND u.state = 'released' AND u.account_id = ANY (v_acc)
      ON CONFLICT DO NOTHING;
  END IF;
  RETURN QUERY SELECT * FROM unnest(v_verdict, v_charged, v_shortfall);
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
REVOKE ALL ON FUNCTION lock_accounts, lock_keys, place_holds, settle_holds, post_movement,
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
