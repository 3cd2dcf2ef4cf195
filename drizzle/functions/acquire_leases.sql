-- acquire_leases: opens or enlarges the leases of one instance for a batch of waiting calls, in arrival
-- order, under the locks of their accounts and then their keys, each in id order. It decides the
-- balance and every hard budget: of the account, of the key's project, of the member who made it or uses
-- the playground, and of the key; what an operator lets the account owe counts as balance. Returns arrays, one element per call in the order given:
--   verdicts   held | busy | closed | missing | suspended | frozen | key_revoked | clamped | balance
--              | in_flight | the kind and the period of the budget that refused, as in project_month
--   granted    what the call may cost at most, its own headroom included (0 unless held)
--   extra      what was reserved beyond that as a head start for later calls of the lease
--   available  what the account and its budgets would have allowed at that moment
--   elsewhere  reserved by leases, neither spent nor part of this call's own headroom: running calls hold it, or a
--              recall frees it (0 if held)
--   resets_ms  when the budget that refused resets, in Unix milliseconds
-- hour_left_ms says how long the current hour still lasts, by the clock of each account's time zone, at
-- least: no lease grants beyond its hour, so that none is in two periods of a budget; it is NULL if no account was locked, because then the answer says nothing about any lease. p_want is the most
-- a call can cost and p_floor the least worth reserving; p_own is headroom of the lease that the caller
-- has set aside for the call; p_ahead the head start its key's demand suggests. p_halve takes at most half
-- of what is available; p_exact refuses (clamped) instead of granting less than p_want. While an account's
-- leases are recalled (recalled_until) there is no head start. Without p_wait a locked account or key
-- returns busy. p_late charges calls that already ran: whether the account or the key may still spend is
-- not checked. A lease that was closed, or that belongs to another hour, key, project or member, returns
-- closed: open another one. p_persons names who calls without a key.
CREATE OR REPLACE FUNCTION acquire_leases(
  p_instance uuid, p_wait boolean, p_late boolean,
  p_leases uuid[], p_accounts uuid[], p_keys uuid[],
  p_want bigint[], p_floor bigint[], p_own bigint[], p_ahead bigint[], p_halve boolean[], p_exact boolean[],
  p_persons uuid[],
  OUT verdicts text[], OUT granted bigint[], OUT extra bigint[], OUT available bigint[],
  OUT elsewhere bigint[], OUT resets_ms bigint[], OUT hour_left_ms double precision
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off
SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  -- Longer than a recall and the next try of its call take; renewed no more than once a second.
  v_recall_for CONSTANT interval := '6 seconds'; v_recall_least CONSTANT interval := '5 seconds';
  v_n integer := cardinality(p_leases);
  v_now timestamptz; v_today timestamp; v_day date; v_week date; v_month date;
  v_acc uuid[]; v_avail bigint[]; v_acc_held bigint[]; v_acc_stop text[]; v_acc_until timestamptz[];
  v_acc_zone text[]; v_acc_hour timestamptz[]; v_acc_refused boolean[]; v_acc_add bigint[];
  v_key uuid[]; v_key_acc uuid[]; v_key_live boolean[]; v_key_add bigint[];
  v_key_project uuid[]; v_key_person uuid[];
  -- Budgets; which of them a key has: those of v_of_bud from v_first[k] on that belong to v_of_key = k.
  v_bud uuid[]; v_bud_acc uuid[]; v_bud_kind text[]; v_bud_subject uuid[]; v_bud_period text[];
  v_bud_start date[]; v_bud_left bigint[]; v_bud_held bigint[]; v_bud_add bigint[]; v_bud_refused boolean[];
  v_of_key integer[]; v_of_bud integer[]; v_first integer[]; v_mine integer[];
  v_stale uuid[];
  a integer; k integer; b integer; t integer; v_left bigint; v_budget_left bigint; v_floor bigint;
  v_grant bigint; v_add bigint; v_spent bigint; v_any boolean := false; v_reached boolean := false;
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
  SELECT array_agg(x.id), array_agg(x.balance_nanos + x.credit_limit_nanos - x.held_nanos), array_agg(x.held_nanos),
         array_agg(CASE WHEN p_late THEN NULL
                        WHEN x.suspended_at IS NOT NULL THEN 'suspended'
                        WHEN x.frozen_at IS NOT NULL THEN 'frozen' END),
         array_agg(x.recalled_until), array_agg(x.time_zone)
    INTO v_acc, v_avail, v_acc_held, v_acc_stop, v_acc_until, v_acc_zone
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
  SELECT array_agg(v_now - h.passed), 1000 * extract(epoch FROM interval '1 hour' - max(h.passed))
    INTO v_acc_hour, hour_left_ms
    FROM unnest(v_acc_zone) zone
    CROSS JOIN LATERAL (SELECT v_now AT TIME ZONE zone AS clock) c
    CROSS JOIN LATERAL (SELECT clock - date_trunc('hour', clock) AS passed) h;
  IF p_wait THEN
    PERFORM FROM api_keys WHERE id = ANY (p_keys) AND account_id = ANY (v_acc) ORDER BY id
      FOR NO KEY UPDATE;
  END IF;
  SELECT array_agg(x.id), array_agg(x.account_id),
         array_agg(p_late OR x.revoked_at IS NULL OR x.revoked_at > v_now),
         array_agg(coalesce(x.project_id, x.account_id)), array_agg(x.created_by)
    INTO v_key, v_key_acc, v_key_live, v_key_project, v_key_person
    FROM (SELECT * FROM api_keys WHERE id = ANY (p_keys) AND account_id = ANY (v_acc) ORDER BY id
            FOR NO KEY UPDATE SKIP LOCKED) x;
  v_acc_add := array_fill(0::bigint, ARRAY[cardinality(v_acc)]);
  v_acc_refused := array_fill(false, ARRAY[cardinality(v_acc)]);
  IF v_key IS NOT NULL THEN v_key_add := array_fill(0::bigint, ARRAY[cardinality(v_key)]); END IF;
  -- Everything that changes a budget holds the account's lock or, for one of a key, the key's.
  SELECT array_agg(x.id), array_agg(x.account_id), array_agg(x.kind), array_agg(x.subject_id),
         array_agg(x.period), array_agg(x.day),
         array_agg(CASE WHEN x.hard THEN x.limit_nanos
           - CASE WHEN x.period_start = x.day THEN x.spent_nanos + x.held_nanos ELSE 0 END END),
         array_agg(CASE WHEN x.period_start = x.day THEN x.held_nanos ELSE 0 END)
    INTO v_bud, v_bud_acc, v_bud_kind, v_bud_subject, v_bud_period, v_bud_start, v_bud_left, v_bud_held
    FROM (SELECT y.*, budget_start(y.period, v_now AT TIME ZONE v_acc_zone[array_position(v_acc, y.account_id)]) AS day
            FROM budgets y
           WHERE y.account_id = ANY (v_acc)
             AND y.subject_id = ANY (v_acc || v_key || v_key_project || v_key_person || p_persons)) x;
  IF v_bud IS NOT NULL THEN
    v_bud_add := array_fill(0::bigint, ARRAY[cardinality(v_bud)]);
    v_bud_refused := array_fill(false, ARRAY[cardinality(v_bud)]);
    IF v_key IS NOT NULL THEN
      IF cardinality(v_key) = 1 THEN
        -- Most batches have one key: a loop over its few budgets costs less than a join.
        FOR j IN 1 .. cardinality(v_bud) LOOP
          IF v_bud_acc[j] = v_key_acc[1] AND v_bud_subject[j] =
               (CASE v_bud_kind[j] WHEN 'account' THEN v_key_acc[1] WHEN 'project' THEN v_key_project[1]
                                   WHEN 'member' THEN v_key_person[1] ELSE v_key[1] END) THEN
            v_of_key := v_of_key || 1;
            v_of_bud := v_of_bud || j;
          END IF;
        END LOOP;
      ELSE
        SELECT array_agg(x.k), array_agg(array_position(v_bud, x.id)) INTO v_of_key, v_of_bud
          FROM (SELECT n.k, y.id
                  FROM generate_subscripts(v_key, 1) n (k)
                  JOIN budgets y ON y.account_id = v_key_acc[n.k]
                   AND y.subject_id IN (v_key_acc[n.k], v_key_project[n.k], v_key_person[n.k], v_key[n.k])
                   AND y.subject_id = CASE y.kind WHEN 'account' THEN v_key_acc[n.k] WHEN 'project' THEN v_key_project[n.k]
                                                  WHEN 'member' THEN v_key_person[n.k] ELSE v_key[n.k] END
                 ORDER BY n.k) x;
      END IF;
      v_first := array_fill(NULL::integer, ARRAY[cardinality(v_key)]);
      FOR j IN REVERSE coalesce(cardinality(v_of_key), 0) .. 1 LOOP
        v_first[v_of_key[j]] := j;
      END LOOP;
    END IF;
  END IF;
  -- By their ids alone, as in `charge_calls`; leases of accounts that are not locked are not locked either.
  SELECT array_agg(x.id) INTO v_stale
    FROM (SELECT id, account_id, closed_at, hour, instance_id, key_id, project_id, person_id FROM leases
           WHERE id = ANY (p_leases) AND array_position(v_acc, account_id) IS NOT NULL
           ORDER BY id FOR NO KEY UPDATE) x
    CROSS JOIN LATERAL (SELECT array_position(p_leases, x.id) AS i, array_position(v_key, x.key_id) AS k) p
   WHERE x.closed_at IS NOT NULL OR x.hour <> v_acc_hour[array_position(v_acc, x.account_id)]
      OR x.instance_id <> p_instance OR x.key_id IS DISTINCT FROM p_keys[p.i]
      OR CASE WHEN x.key_id IS NULL THEN x.person_id IS DISTINCT FROM p_persons[p.i]
              WHEN p.k IS NULL THEN false
              ELSE coalesce(x.project_id, x.account_id) <> v_key_project[p.k]
                OR x.person_id IS DISTINCT FROM v_key_person[p.k] END;

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
    IF k IS NOT NULL AND v_key_acc[k] = p_accounts[i] THEN
      IF NOT v_key_live[k] THEN
        verdicts[i] := 'key_revoked';
        CONTINUE;
      END IF;
    ELSIF p_keys[i] IS NOT NULL THEN
      IF p_wait OR k IS NOT NULL THEN verdicts[i] := 'missing'; END IF;
      CONTINUE;
    END IF;
    -- The budgets of this call, and the one of them that leaves the least: NULL if none is hard.
    v_mine := NULL;
    v_budget_left := NULL;
    t := NULL;
    IF v_bud IS NOT NULL THEN
      IF k IS NULL THEN
        FOR j IN 1 .. cardinality(v_bud) LOOP
          IF v_bud_acc[j] = p_accounts[i] AND v_bud_subject[j] =
               (CASE WHEN v_bud_kind[j] = 'member' THEN p_persons[i] ELSE p_accounts[i] END) THEN
            v_mine := v_mine || j;
          END IF;
        END LOOP;
      ELSIF v_first[k] IS NOT NULL THEN
        FOR j IN v_first[k] .. cardinality(v_of_key) LOOP
          EXIT WHEN v_of_key[j] <> k;
          v_mine := v_mine || v_of_bud[j];
        END LOOP;
      END IF;
      FOR j IN 1 .. coalesce(cardinality(v_mine), 0) LOOP
        b := v_mine[j];
        IF v_budget_left IS NULL OR v_bud_left[b] < v_budget_left THEN
          v_budget_left := v_bud_left[b];
          t := b;
        END IF;
      END LOOP;
    END IF;
    v_left := least(v_avail[a], v_budget_left);
    -- A limit that was lowered below what is reserved also takes the lease's own headroom.
    v_left := greatest(v_left + p_own[i], 0);
    v_floor := least(p_floor[i], p_want[i]);
    available[i] := v_left;
    IF v_budget_left IS NULL OR v_avail[a] <= v_budget_left THEN t := NULL; END IF;
    v_grant := least(p_want[i], CASE WHEN p_halve[i] THEN greatest(v_left / 2, least(v_left, v_floor))
                                     ELSE v_left END);
    IF v_grant < v_floor OR p_exact[i] AND v_grant < p_want[i] THEN
      -- What is held counts what open leases have spent, which no call holds and no recall frees.
      SELECT coalesce(sum(l.spent_nanos), 0) INTO v_spent FROM leases l
       WHERE l.account_id = p_accounts[i] AND l.closed_at IS NULL
         AND (t IS NULL OR l.hour >= v_bud_start[t]::timestamp AT TIME ZONE v_acc_zone[a]
              AND v_bud_subject[t] = CASE v_bud_kind[t] WHEN 'account' THEN l.account_id
                WHEN 'project' THEN coalesce(l.project_id, l.account_id)
                WHEN 'member' THEN l.person_id ELSE l.key_id END);
      elsewhere[i] := greatest(CASE WHEN t IS NULL THEN v_acc_held[a] ELSE v_bud_held[t] END
                                 - p_own[i] - v_spent, 0);
      IF v_grant >= v_floor THEN
        verdicts[i] := 'clamped';
      ELSIF t IS NULL THEN
        verdicts[i] := CASE WHEN elsewhere[i] + v_left >= v_floor THEN 'in_flight' ELSE 'balance' END;
      ELSE
        verdicts[i] := v_bud_kind[t] || '_' || v_bud_period[t];
        resets_ms[i] := 1000 * extract(epoch FROM CASE v_bud_period[t]
          WHEN 'day' THEN (v_bud_start[t] + 1)::timestamp
          WHEN 'week' THEN (v_bud_start[t] + 7)::timestamp
          WHEN 'month' THEN v_bud_start[t] + interval '1 month' END AT TIME ZONE v_acc_zone[a]);
        v_bud_refused[t] := true;
        v_reached := true;
      END IF;
      v_acc_refused[a] := v_acc_refused[a] OR elsewhere[i] > 0;
      CONTINUE;
    END IF;
    verdicts[i] := 'held';
    granted[i] := v_grant;
    IF NOT v_acc_refused[a] AND (v_acc_until[a] > v_now) IS NOT TRUE THEN
      extra[i] := head_start(v_left, p_want[i], p_ahead[i]);
    END IF;
    -- Headroom the call did not need stays with its lease, and is the first part of the head start.
    extra[i] := greatest(extra[i], p_own[i] - v_grant);
    v_add := v_grant + extra[i] - p_own[i];
    v_any := true;
    v_avail[a] := v_avail[a] - v_add;
    v_acc_held[a] := v_acc_held[a] + v_add;
    v_acc_add[a] := v_acc_add[a] + v_add;
    IF k IS NOT NULL THEN v_key_add[k] := v_key_add[k] + v_add; END IF;
    FOR j IN 1 .. coalesce(cardinality(v_mine), 0) LOOP
      b := v_mine[j];
      v_bud_left[b] := v_bud_left[b] - v_add;
      v_bud_held[b] := v_bud_held[b] + v_add;
      v_bud_add[b] := v_bud_add[b] + v_add;
    END LOOP;
  END LOOP;

  IF true = ANY (v_acc_refused) THEN
    UPDATE accounts x SET recalled_until = v_now + v_recall_for
      FROM generate_series(1, cardinality(v_acc)) i
     WHERE x.id = v_acc[i] AND v_acc_refused[i]
       AND (x.recalled_until > v_now + v_recall_least) IS NOT TRUE;
  END IF;
  IF v_any THEN
    INSERT INTO leases AS l (account_id, id, key_id, project_id, person_id, instance_id, hour,
        granted_nanos, opened_at)
      SELECT p_accounts[i], p_leases[i], p_keys[i],
             CASE WHEN p_keys[i] IS NULL THEN p_accounts[i] ELSE v_key_project[array_position(v_key, p_keys[i])] END,
             CASE WHEN p_keys[i] IS NULL THEN p_persons[i] ELSE v_key_person[array_position(v_key, p_keys[i])] END,
             p_instance, v_acc_hour[array_position(v_acc, p_accounts[i])],
             sum(granted[i] + extra[i] - p_own[i]), v_now
        FROM generate_series(1, v_n) i WHERE verdicts[i] = 'held'
       GROUP BY 1, 2, 3, 4, 5, 7
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
    UPDATE budgets x SET
        spent_nanos = CASE WHEN x.period_start = v_bud_start[i] THEN x.spent_nanos ELSE 0 END,
        held_nanos = CASE WHEN x.period_start = v_bud_start[i] THEN x.held_nanos ELSE 0 END + v_bud_add[i],
        period_start = v_bud_start[i]
      FROM generate_series(1, cardinality(v_bud)) i WHERE x.id = v_bud[i] AND v_bud_add[i] > 0;
  END IF;
  IF v_reached THEN
    UPDATE budgets x SET reached_at = v_now
      FROM generate_series(1, cardinality(v_bud)) i
     WHERE x.id = v_bud[i] AND v_bud_refused[i]
       AND (x.reached_at AT TIME ZONE v_acc_zone[array_position(v_acc, x.account_id)] >= v_bud_start[i]) IS NOT TRUE;
  END IF;
END $$;
