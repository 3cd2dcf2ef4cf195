-- acquire_leases: opens or enlarges the leases of one instance for a batch of waiting calls, in arrival
-- order, under the locks of their accounts and then their keys, each in id order. It decides the
-- balance and every spend limit of a key. Returns arrays, one element per call in the order given:
--   verdicts   held | busy | closed | missing | suspended | frozen | key_revoked | clamped | balance
--              | in_flight | key_day | key_week | key_month | key_total
--   granted    what the call may cost at most, its own headroom included (0 unless held)
--   extra      what was reserved beyond that as a head start for later calls of the lease
--   available  what the account and the key's limits would have allowed at that moment
--   elsewhere  reserved by leases and not part of this call's own headroom: a recall may free some of it
--   resets_ms  when the key limit that refused resets, in Unix milliseconds
-- hour_left_ms says how long the current UTC hour still lasts: no lease grants beyond its hour; it is
-- NULL if no account was locked, because then the answer says nothing about any lease. p_want is the most
-- a call can cost and p_floor the least worth reserving; p_own is headroom of the lease that the caller
-- has set aside for the call; p_ahead the head start its key's demand suggests. p_halve takes at most half
-- of what is available; p_exact refuses (clamped) instead of granting less than p_want. While an account's
-- leases are recalled (recalled_until) there is no head start. Without p_wait a locked account or key
-- returns busy. p_late charges calls that already ran: whether the account or the key may still spend is
-- not checked. A lease that was closed, or that belongs to another hour or key, returns closed: open
-- another one.
CREATE OR REPLACE FUNCTION acquire_leases(
  p_instance uuid, p_wait boolean, p_late boolean,
  p_leases uuid[], p_accounts uuid[], p_keys uuid[],
  p_want bigint[], p_floor bigint[], p_own bigint[], p_ahead bigint[], p_halve boolean[], p_exact boolean[],
  OUT verdicts text[], OUT granted bigint[], OUT extra bigint[], OUT available bigint[],
  OUT elsewhere bigint[], OUT resets_ms bigint[], OUT hour_left_ms double precision
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off
SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  -- Below this many times the need the reservation is exact; a head start is at most this part.
  v_exact_below CONSTANT bigint := 32; v_ahead_part CONSTANT bigint := 16;
  -- Longer than a recall and the next try of its call take; renewed no more than once a second.
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
  -- Accounts in id order, then keys in id order, so that no two batches wait for each other. What a
  -- locking SELECT returns is the row as it is once locked, even if it changed meanwhile.
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
  -- Read under the locks, so that time never runs backwards between two leases of an account: a call
  -- that waited over midnight belongs to the new day.
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
  -- By their ids alone, as in `charge_requests`; leases of accounts that are not locked are not locked either.
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
      -- NULL if the key has no limit at all.
      v_key_left := least(v_day_left[k], v_week_left[k], v_month_left[k], v_total_left[k]) - v_key_add[k];
      v_left := least(v_left, v_key_left);
    ELSIF p_keys[i] IS NOT NULL THEN
      IF p_wait OR k IS NOT NULL THEN verdicts[i] := 'missing'; END IF;
      CONTINUE;
    END IF;
    -- A limit that was lowered below what is reserved also takes the lease's own headroom.
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
    -- The nearer to zero, the more exact the reservation.
    IF v_left / v_exact_below >= p_want[i] AND NOT v_acc_refused[a]
       AND (v_acc_until[a] > v_now) IS NOT TRUE THEN
      extra[i] := least(p_ahead[i], (v_left - v_grant) / v_ahead_part);
    END IF;
    -- Headroom the call did not need stays with its lease, and is the first part of the head start.
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
