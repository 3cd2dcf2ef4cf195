-- release_leases: returns money of leases, under the locks of their accounts, then their keys, then
-- the leases, and counts it in the budgets they were opened under. With p_close the lease ends: everything it did not spend is returned and one ledger
-- transaction posts what it did spend. Where p_close is false, at most p_amounts of its headroom is returned;
-- where it is null, all but p_amounts: for a lease of which the process does not know what it was granted. Returns
-- arrays, one element per lease in the order given:
--   verdicts   released | closed | already | missing | busy
--   amounts    what was returned to the account
-- A locked account or key returns busy; a lease may be named once in a batch. Closing a lease that does
-- not exist takes its id (p_keys, p_instance), so that an acquisition still on its way can no longer
-- open it. The database chooses the time of a transaction, and its id from that.
CREATE OR REPLACE FUNCTION release_leases(
  p_instance uuid, p_accounts uuid[], p_leases uuid[], p_keys uuid[], p_amounts bigint[], p_close boolean[],
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
  j integer; v_any boolean := false; v_now timestamptz; v_transactions uuid[];
BEGIN
  verdicts := array_fill('busy'::text, ARRAY[v_n]);
  amounts := array_fill(0::bigint, ARRAY[v_n]);
  v_charged := amounts; v_shortfall := amounts; v_gone := amounts;
  v_item_key := array_fill(NULL::uuid, ARRAY[v_n]);
  v_item_hour := array_fill(NULL::timestamp, ARRAY[v_n]);
  v_transactions := v_item_key;
  -- The update below would apply only one of two changes of a lease, but the account would get both
  -- amounts back.
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
  -- Leases are found by their ids alone, as in `charge_calls`.
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
  -- Read under the locks, so that time does not run backwards within an account.
  v_now := clock_timestamp();

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
      v_transactions[i] := overlay(uuid7_floor(v_now)::text PLACING substr(gen_random_uuid()::text, 16) FROM 16)::uuid;
    ELSE
      verdicts[i] := 'released';
      amounts[i] := CASE WHEN p_close[i] IS NULL THEN greatest(v_granted[j] - v_spent[j] - p_amounts[i], 0)
                         ELSE least(p_amounts[i], v_granted[j] - v_spent[j]) END;
      v_gone[i] := amounts[i];
    END IF;
  END LOOP;

  IF v_any THEN
    INSERT INTO ledger_transactions (id, kind, idempotency_key, actor, created_at)
      SELECT v_transactions[i], 'usage', 'lease:' || p_leases[i], 'gateway', v_now
        FROM generate_series(1, v_n) i
       WHERE verdicts[i] = 'closed' AND v_charged[i] + v_shortfall[i] > 0;
    INSERT INTO entries (account_id, transaction_id, book, amount_nanos)
      SELECT u.account_id, v_transactions[i], u.book, u.amount
        FROM generate_series(1, v_n) i
        CROSS JOIN LATERAL (VALUES
          (p_accounts[i], 'account', -v_charged[i]),
          ('00000000-0000-0000-0000-000000000000'::uuid, 'usage_revenue', v_charged[i] + v_shortfall[i]),
          ('00000000-0000-0000-0000-000000000000'::uuid, 'shortfall', -v_shortfall[i])
        ) u (account_id, book, amount)
       WHERE verdicts[i] = 'closed' AND u.amount <> 0;
    UPDATE leases x SET
        granted_nanos = CASE WHEN verdicts[i] = 'closed' THEN x.spent_nanos ELSE x.granted_nanos - amounts[i] END,
        closed_at = CASE WHEN verdicts[i] = 'closed' THEN v_now END,
        transaction_id = CASE WHEN verdicts[i] = 'closed' AND v_charged[i] + v_shortfall[i] > 0
                              THEN v_transactions[i] END
      FROM generate_series(1, v_n) i
     WHERE x.id = p_leases[i] AND verdicts[i] IN ('closed', 'released');
    -- A balance that, with the credit, covers what is reserved again unfreezes the account.
    UPDATE accounts x SET
        balance_nanos = x.balance_nanos - u.charged,
        held_nanos = x.held_nanos - u.gone,
        frozen_at = CASE WHEN x.balance_nanos + x.credit_limit_nanos - u.charged - x.held_nanos + u.gone < 0 THEN x.frozen_at END
      FROM (SELECT p_accounts[i] AS id, sum(v_charged[i])::bigint AS charged, sum(v_gone[i])::bigint AS gone
              FROM generate_series(1, v_n) i GROUP BY 1) u
     WHERE x.id = u.id AND (u.charged > 0 OR u.gone > 0);
    -- A window of a key that has ended since the lease's hour is not touched.
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
    UPDATE budgets x SET spent_nanos = x.spent_nanos + u.spent, held_nanos = x.held_nanos - u.held
      FROM (
        SELECT y.id, sum(t.charge)::bigint AS spent, sum(t.gone)::bigint AS held
          FROM (SELECT l.account_id, l.key_id, coalesce(l.project_id, l.account_id) AS project_id, l.person_id,
                       v_charged[i] AS charge, v_gone[i] AS gone, l.hour AT TIME ZONE a.time_zone AS local
                  FROM generate_series(1, v_n) i
                  JOIN leases l ON l.id = p_leases[i]
                  JOIN accounts a ON a.id = l.account_id
                 WHERE verdicts[i] IN ('closed', 'released') AND (v_charged[i] > 0 OR v_gone[i] > 0)) t
          JOIN budgets y ON y.account_id = t.account_id
           AND y.subject_id IN (t.account_id, t.project_id, t.person_id, t.key_id)
           AND y.subject_id = CASE y.kind WHEN 'account' THEN t.account_id WHEN 'project' THEN t.project_id
                                          WHEN 'member' THEN t.person_id ELSE t.key_id END
           AND y.period_start = budget_start(y.period, t.local)
         GROUP BY y.id) u
     WHERE x.id = u.id;
  END IF;
  INSERT INTO leases (account_id, id, key_id, instance_id, hour, closed_at)
    SELECT p_accounts[i], p_leases[i], p_keys[i], p_instance, date_trunc('hour', now(), 'utc'), now()
      FROM generate_series(1, v_n) i
     WHERE verdicts[i] = 'missing' AND p_close[i] AND p_accounts[i] = ANY (v_acc)
    ON CONFLICT DO NOTHING;
END $$;
