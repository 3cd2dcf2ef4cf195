-- acquire_leases and release_leases as they were before there were budgets: for tests of the upgrade. p_persons,
-- which they ignore, is what the processes of this version pass.
CREATE OR REPLACE FUNCTION acquire_leases(
  p_instance uuid, p_wait boolean, p_late boolean,
  p_leases uuid[], p_accounts uuid[], p_keys uuid[],
  p_want bigint[], p_floor bigint[], p_own bigint[], p_ahead bigint[], p_halve boolean[], p_exact boolean[],
  p_persons uuid[] DEFAULT NULL,
  OUT verdicts text[], OUT granted bigint[], OUT extra bigint[], OUT available bigint[],
  OUT elsewhere bigint[], OUT resets_ms bigint[], OUT hour_left_ms double precision
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off
SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_exact_below CONSTANT bigint := 32; v_ahead_part CONSTANT bigint := 16;
  v_recall_for CONSTANT interval := '6 seconds'; v_recall_least CONSTANT interval := '5 seconds';
  v_n integer := cardinality(p_leases);
  v_now timestamptz; v_today timestamp; v_day date; v_week date; v_month date; v_hour timestamptz;
  v_acc uuid[]; v_avail bigint[]; v_acc_held bigint[]; v_acc_stop text[]; v_acc_until timestamptz[];
  v_acc_refused boolean[]; v_acc_add bigint[];
  v_key uuid[]; v_key_acc uuid[]; v_key_live boolean[]; v_key_add bigint[]; v_key_held bigint[];
  v_day_left bigint[]; v_week_left bigint[]; v_month_left bigint[]; v_total_left bigint[];
  v_stale uuid[];
  a integer; k integer; v_left bigint; v_key_left bigint; v_floor bigint; v_grant bigint; v_no text;
  v_add bigint; v_any boolean := false;
BEGIN
  verdicts := array_fill('busy'::text, ARRAY[v_n]);
  granted := array_fill(0::bigint, ARRAY[v_n]);
  extra := granted;
  available := granted;
  elsewhere := granted;
  resets_ms := array_fill(NULL::bigint, ARRAY[v_n]);
  IF p_wait THEN
    PERFORM FROM accounts WHERE id = ANY (p_accounts) ORDER BY id FOR NO KEY UPDATE;
  END IF;
  SELECT array_agg(x.id), array_agg(x.balance_nanos - x.held_nanos), array_agg(x.held_nanos),
         array_agg(CASE WHEN p_late THEN NULL
                        WHEN x.suspended_at IS NOT NULL THEN 'suspended'
                        WHEN x.frozen_at IS NOT NULL THEN 'frozen' END),
         array_agg(x.recalled_until)
    INTO v_acc, v_avail, v_acc_held, v_acc_stop, v_acc_until
    FROM (SELECT * FROM accounts WHERE id = ANY (p_accounts) ORDER BY id
            FOR NO KEY UPDATE SKIP LOCKED) x;
  IF v_acc IS NULL THEN
    IF p_wait THEN verdicts := array_fill('missing'::text, ARRAY[v_n]); END IF;
    RETURN;
  END IF;
  v_now := clock_timestamp();
  v_today := v_now AT TIME ZONE 'utc';
  v_day := v_today::date;
  v_week := date_trunc('week', v_today)::date;
  v_month := date_trunc('month', v_today)::date;
  v_hour := date_trunc('hour', v_now, 'utc');
  hour_left_ms := 1000 * extract(epoch FROM v_hour + interval '1 hour' - v_now);
  IF p_wait THEN
    PERFORM FROM api_keys WHERE id = ANY (p_keys) AND account_id = ANY (v_acc) ORDER BY id
      FOR NO KEY UPDATE;
  END IF;
  SELECT array_agg(x.id), array_agg(x.account_id),
         array_agg(p_late OR x.revoked_at IS NULL OR x.revoked_at > v_now),
         array_agg(x.total_held_nanos),
         array_agg(x.day_limit_nanos - CASE WHEN x.day_start = v_day
           THEN x.day_spent_nanos + x.day_held_nanos ELSE 0 END),
         array_agg(x.week_limit_nanos - CASE WHEN x.week_start = v_week
           THEN x.week_spent_nanos + x.week_held_nanos ELSE 0 END),
         array_agg(x.month_limit_nanos - CASE WHEN x.month_start = v_month
           THEN x.month_spent_nanos + x.month_held_nanos ELSE 0 END),
         array_agg(x.total_limit_nanos - x.total_spent_nanos - x.total_held_nanos)
    INTO v_key, v_key_acc, v_key_live, v_key_held, v_day_left, v_week_left, v_month_left, v_total_left
    FROM (SELECT * FROM api_keys WHERE id = ANY (p_keys) AND account_id = ANY (v_acc) ORDER BY id
            FOR NO KEY UPDATE SKIP LOCKED) x;
  v_acc_add := array_fill(0::bigint, ARRAY[cardinality(v_acc)]);
  v_acc_refused := array_fill(false, ARRAY[cardinality(v_acc)]);
  IF v_key IS NOT NULL THEN v_key_add := array_fill(0::bigint, ARRAY[cardinality(v_key)]); END IF;
  SELECT array_agg(x.id) INTO v_stale
    FROM (SELECT id, closed_at, hour, instance_id, key_id FROM leases
           WHERE id = ANY (p_leases) AND array_position(v_acc, account_id) IS NOT NULL
           ORDER BY id FOR NO KEY UPDATE) x
   WHERE x.closed_at IS NOT NULL OR x.hour <> v_hour OR x.instance_id <> p_instance
      OR x.key_id IS DISTINCT FROM p_keys[array_position(p_leases, x.id)];

  FOR i IN 1 .. v_n LOOP
    a := array_position(v_acc, p_accounts[i]);
    IF a IS NULL THEN
      IF p_wait THEN verdicts[i] := 'missing'; END IF;
      CONTINUE;
    END IF;
    IF p_leases[i] = ANY (v_stale) THEN
      verdicts[i] := 'closed';
      CONTINUE;
    END IF;
    IF v_acc_stop[a] IS NOT NULL THEN
      verdicts[i] := v_acc_stop[a];
      CONTINUE;
    END IF;
    IF p_want[i] < 0 OR p_floor[i] < 0 OR p_own[i] < 0 OR p_ahead[i] < 0 THEN
      RAISE EXCEPTION 'a call wants a negative reservation' USING ERRCODE = 'check_violation';
    END IF;
    k := array_position(v_key, p_keys[i]);
    v_left := v_avail[a];
    v_key_left := NULL;
    IF k IS NOT NULL AND v_key_acc[k] = p_accounts[i] THEN
      IF NOT v_key_live[k] THEN
        verdicts[i] := 'key_revoked';
        CONTINUE;
      END IF;
      v_key_left := least(v_day_left[k], v_week_left[k], v_month_left[k], v_total_left[k]) - v_key_add[k];
      v_left := least(v_left, v_key_left);
    ELSIF p_keys[i] IS NOT NULL THEN
      IF p_wait OR k IS NOT NULL THEN verdicts[i] := 'missing'; END IF;
      CONTINUE;
    END IF;
    v_left := greatest(v_left + p_own[i], 0);
    v_floor := least(p_floor[i], p_want[i]);
    available[i] := v_left;
    elsewhere[i] := CASE WHEN v_key_left IS NULL OR v_avail[a] <= v_key_left
                         THEN v_acc_held[a] ELSE v_key_held[k] + v_key_add[k] END - p_own[i];
    v_grant := least(p_want[i], CASE WHEN p_halve[i] THEN greatest(v_left / 2, least(v_left, v_floor))
                                     ELSE v_left END);
    IF v_grant < v_floor THEN
      v_no := CASE WHEN v_key_left IS NULL OR v_avail[a] <= v_key_left THEN 'balance'
                   WHEN v_day_left[k] - v_key_add[k] = v_key_left THEN 'key_day'
                   WHEN v_week_left[k] - v_key_add[k] = v_key_left THEN 'key_week'
                   WHEN v_month_left[k] - v_key_add[k] = v_key_left THEN 'key_month'
                   ELSE 'key_total' END;
      verdicts[i] := CASE
        WHEN v_no = 'balance' AND elsewhere[i] + v_left >= v_floor THEN 'in_flight' ELSE v_no END;
      resets_ms[i] := 1000 * extract(epoch FROM CASE v_no
        WHEN 'key_day' THEN (v_day + 1)::timestamp AT TIME ZONE 'utc'
        WHEN 'key_week' THEN (v_week + 7)::timestamp AT TIME ZONE 'utc'
        WHEN 'key_month' THEN (v_month + interval '1 month') AT TIME ZONE 'utc' END);
      v_acc_refused[a] := v_acc_refused[a] OR elsewhere[i] > 0;
      CONTINUE;
    END IF;
    IF p_exact[i] AND v_grant < p_want[i] THEN
      verdicts[i] := 'clamped';
      v_acc_refused[a] := v_acc_refused[a] OR elsewhere[i] > 0;
      CONTINUE;
    END IF;
    verdicts[i] := 'held';
    granted[i] := v_grant;
    IF v_left / v_exact_below >= p_want[i] AND NOT v_acc_refused[a]
       AND (v_acc_until[a] > v_now) IS NOT TRUE THEN
      extra[i] := least(p_ahead[i], (v_left - v_grant) / v_ahead_part);
    END IF;
    extra[i] := greatest(extra[i], p_own[i] - v_grant);
    v_add := v_grant + extra[i] - p_own[i];
    v_any := true;
    v_avail[a] := v_avail[a] - v_add;
    v_acc_held[a] := v_acc_held[a] + v_add;
    v_acc_add[a] := v_acc_add[a] + v_add;
    IF k IS NOT NULL THEN v_key_add[k] := v_key_add[k] + v_add; END IF;
  END LOOP;

  IF true = ANY (v_acc_refused) THEN
    UPDATE accounts x SET recalled_until = v_now + v_recall_for
      FROM generate_series(1, cardinality(v_acc)) i
     WHERE x.id = v_acc[i] AND v_acc_refused[i]
       AND (x.recalled_until > v_now + v_recall_least) IS NOT TRUE;
  END IF;
  IF v_any THEN
    INSERT INTO leases AS l (account_id, id, key_id, instance_id, hour, granted_nanos, opened_at)
      SELECT p_accounts[i], p_leases[i], p_keys[i], p_instance, v_hour,
             sum(granted[i] + extra[i] - p_own[i]), v_now
        FROM generate_series(1, v_n) i WHERE verdicts[i] = 'held'
       GROUP BY 1, 2, 3
      ON CONFLICT (account_id, id) DO UPDATE SET granted_nanos = l.granted_nanos + excluded.granted_nanos;
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
CREATE OR REPLACE FUNCTION release_leases(
  p_instance uuid, p_wait boolean, p_accounts uuid[], p_leases uuid[], p_keys uuid[],
  p_amounts bigint[], p_close boolean[], p_transactions uuid[],
  OUT verdicts text[], OUT amounts bigint[]
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off
SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_n integer := cardinality(p_leases);
  v_acc uuid[]; v_key uuid[]; v_lease_keys uuid[];
  v_lease uuid[]; v_granted bigint[]; v_spent bigint[]; v_short bigint[]; v_hour timestamp[];
  v_open boolean[]; v_lease_key uuid[];
  v_charged bigint[]; v_shortfall bigint[]; v_gone bigint[]; v_item_key uuid[]; v_item_hour timestamp[];
  j integer; v_any boolean := false;
BEGIN
  verdicts := array_fill('busy'::text, ARRAY[v_n]);
  amounts := array_fill(0::bigint, ARRAY[v_n]);
  v_charged := amounts; v_shortfall := amounts; v_gone := amounts;
  v_item_key := array_fill(NULL::uuid, ARRAY[v_n]);
  v_item_hour := array_fill(NULL::timestamp, ARRAY[v_n]);
  IF (SELECT count(DISTINCT id) FROM unnest(p_leases) id) < v_n THEN
    RAISE EXCEPTION 'a lease is named twice in one batch' USING ERRCODE = 'check_violation';
  END IF;
  IF 0 > ANY (p_amounts) THEN
    RAISE EXCEPTION 'a lease returns a negative amount' USING ERRCODE = 'check_violation';
  END IF;
  SELECT array_agg(x.id) INTO v_acc
    FROM (SELECT id FROM accounts WHERE id = ANY (p_accounts) ORDER BY id
            FOR NO KEY UPDATE SKIP LOCKED) x;
  IF v_acc IS NULL THEN
    RETURN;
  END IF;
  SELECT array_agg(DISTINCT l.key_id) INTO v_lease_keys
    FROM generate_series(1, v_n) i
    JOIN leases l ON l.id = p_leases[i] AND l.account_id IS NOT DISTINCT FROM p_accounts[i];
  SELECT array_agg(x.id) INTO v_key
    FROM (SELECT id FROM api_keys WHERE id = ANY (v_lease_keys) AND account_id = ANY (v_acc) ORDER BY id
            FOR NO KEY UPDATE SKIP LOCKED) x;
  SELECT array_agg(x.id), array_agg(x.key_id), array_agg(x.granted_nanos), array_agg(x.spent_nanos),
         array_agg(x.shortfall_nanos), array_agg(x.hour AT TIME ZONE 'utc'),
         array_agg(x.closed_at IS NULL)
    INTO v_lease, v_lease_key, v_granted, v_spent, v_short, v_hour, v_open
    FROM (SELECT l.* FROM leases l
           WHERE l.id = ANY (p_leases) AND array_position(v_acc, l.account_id) IS NOT NULL
             AND l.account_id = p_accounts[array_position(p_leases, l.id)]
           ORDER BY l.id FOR NO KEY UPDATE) x;

  FOR i IN 1 .. v_n LOOP
    IF array_position(v_acc, p_accounts[i]) IS NULL THEN
      CONTINUE;
    END IF;
    j := array_position(v_lease, p_leases[i]);
    IF j IS NULL THEN
      verdicts[i] := 'missing';
      CONTINUE;
    END IF;
    IF v_lease_key[j] IS NOT NULL AND array_position(v_key, v_lease_key[j]) IS NULL THEN
      CONTINUE;
    END IF;
    IF NOT v_open[j] THEN
      verdicts[i] := 'already';
      CONTINUE;
    END IF;
    v_any := true;
    v_item_key[i] := v_lease_key[j];
    v_item_hour[i] := v_hour[j];
    IF p_close[i] THEN
      verdicts[i] := 'closed';
      amounts[i] := v_granted[j] - v_spent[j];
      v_charged[i] := v_spent[j];
      v_shortfall[i] := v_short[j];
      v_gone[i] := v_granted[j];
    ELSE
      verdicts[i] := 'released';
      amounts[i] := CASE WHEN p_close[i] IS NULL THEN greatest(v_granted[j] - v_spent[j] - p_amounts[i], 0)
                         ELSE least(p_amounts[i], v_granted[j] - v_spent[j]) END;
      v_gone[i] := amounts[i];
    END IF;
  END LOOP;

  IF v_any THEN
    INSERT INTO ledger_transactions (id, kind, idempotency_key, actor)
      SELECT p_transactions[i], 'usage', 'lease:' || p_leases[i], 'gateway'
        FROM generate_series(1, v_n) i
       WHERE verdicts[i] = 'closed' AND v_charged[i] + v_shortfall[i] > 0;
    INSERT INTO entries (account_id, transaction_id, book, amount_nanos)
      SELECT u.account_id, p_transactions[i], u.book, u.amount
        FROM generate_series(1, v_n) i
        CROSS JOIN LATERAL (VALUES
          (p_accounts[i], 'account', -v_charged[i]),
          ('00000000-0000-0000-0000-000000000000'::uuid, 'usage_revenue', v_charged[i] + v_shortfall[i]),
          ('00000000-0000-0000-0000-000000000000'::uuid, 'shortfall', -v_shortfall[i])
        ) u (account_id, book, amount)
       WHERE verdicts[i] = 'closed' AND u.amount <> 0;
    UPDATE leases x SET
        granted_nanos = CASE WHEN verdicts[i] = 'closed' THEN x.spent_nanos ELSE x.granted_nanos - amounts[i] END,
        closed_at = CASE WHEN verdicts[i] = 'closed' THEN clock_timestamp() END,
        transaction_id = CASE WHEN verdicts[i] = 'closed' AND v_charged[i] + v_shortfall[i] > 0
                              THEN p_transactions[i] END
      FROM generate_series(1, v_n) i
     WHERE x.id = p_leases[i] AND verdicts[i] IN ('closed', 'released');
    UPDATE accounts x SET
        balance_nanos = x.balance_nanos - u.charged,
        held_nanos = x.held_nanos - u.gone,
        frozen_at = CASE WHEN x.balance_nanos - u.charged - x.held_nanos + u.gone < 0 THEN x.frozen_at END
      FROM (SELECT p_accounts[i] AS id, sum(v_charged[i])::bigint AS charged, sum(v_gone[i])::bigint AS gone
              FROM generate_series(1, v_n) i GROUP BY 1) u
     WHERE x.id = u.id AND (u.charged > 0 OR u.gone > 0);
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
            coalesce(sum(t.charge) FILTER (WHERE t.day = y.day_start), 0)::bigint AS day_spent,
            coalesce(sum(t.gone) FILTER (WHERE t.day = y.day_start), 0)::bigint AS day_held,
            coalesce(sum(t.charge) FILTER (WHERE t.week = y.week_start), 0)::bigint AS week_spent,
            coalesce(sum(t.gone) FILTER (WHERE t.week = y.week_start), 0)::bigint AS week_held,
            coalesce(sum(t.charge) FILTER (WHERE t.month = y.month_start), 0)::bigint AS month_spent,
            coalesce(sum(t.gone) FILTER (WHERE t.month = y.month_start), 0)::bigint AS month_held,
            sum(t.charge)::bigint AS total_spent, sum(t.gone)::bigint AS total_held
          FROM (SELECT v_item_key[i] AS key_id, v_charged[i] AS charge, v_gone[i] AS gone,
                       v_item_hour[i]::date AS day, date_trunc('week', v_item_hour[i])::date AS week,
                       date_trunc('month', v_item_hour[i])::date AS month
                  FROM generate_series(1, v_n) i
                 WHERE verdicts[i] IN ('closed', 'released')) t
          JOIN api_keys y ON y.id = t.key_id
         GROUP BY y.id) u
     WHERE x.id = u.id AND (u.total_spent > 0 OR u.total_held > 0);
  END IF;
  INSERT INTO leases (account_id, id, key_id, instance_id, hour, closed_at)
    SELECT p_accounts[i], p_leases[i], p_keys[i], p_instance, date_trunc('hour', now(), 'utc'), now()
      FROM generate_series(1, v_n) i
     WHERE verdicts[i] = 'missing' AND p_close[i] AND p_accounts[i] = ANY (v_acc)
    ON CONFLICT DO NOTHING;
END $$;
