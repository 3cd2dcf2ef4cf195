-- The keys of the account are locked as well, in the order of acquire_leases: a limit that another transaction gives
-- to a key at the same time would be counted for a period that begins by the former clock, or lock budgets in
-- another order.
CREATE OR REPLACE FUNCTION recount_budgets() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  v_local timestamp;
BEGIN
  PERFORM FROM api_keys WHERE account_id = NEW.id ORDER BY id FOR NO KEY UPDATE;
  v_local := clock_timestamp() AT TIME ZONE NEW.time_zone;
  UPDATE budgets b SET period_start = s.day, spent_nanos = c.spent, held_nanos = c.held
    FROM budgets o
    CROSS JOIN LATERAL (SELECT budget_start(o.period, v_local) AS day) s
    CROSS JOIN LATERAL count_budget(o.account_id, o.kind, o.subject_id,
      budget_from(o.period, s.day, NEW.time_zone)) c
   WHERE o.account_id = NEW.id AND o.period <> 'total' AND b.account_id = o.account_id AND b.id = o.id;
  RETURN NULL;
END $$;
