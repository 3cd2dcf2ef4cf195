-- count_new_budget: counts for a new budget what its period has already seen. Leases change under the locks of their
-- account and their key: the one that all leases of the budget have in common is held from here on.
CREATE OR REPLACE FUNCTION count_new_budget() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  v_zone text; v_count record;
BEGIN
  IF NEW.kind = 'key' THEN
    PERFORM FROM api_keys WHERE account_id = NEW.account_id AND id = NEW.subject_id FOR NO KEY UPDATE;
  ELSE
    PERFORM FROM accounts WHERE id = NEW.account_id FOR NO KEY UPDATE;
  END IF;
  SELECT time_zone INTO v_zone FROM accounts WHERE id = NEW.account_id;
  NEW.period_start := budget_start(NEW.period, clock_timestamp() AT TIME ZONE v_zone);
  IF NEW.kind = 'key' AND NEW.period = 'total' THEN
    SELECT total_spent_nanos AS spent, total_held_nanos AS held INTO v_count
      FROM api_keys WHERE account_id = NEW.account_id AND id = NEW.subject_id;
  ELSE
    SELECT * INTO v_count FROM count_budget(NEW.account_id, NEW.kind, NEW.subject_id,
      budget_from(NEW.period, NEW.period_start, v_zone));
  END IF;
  NEW.spent_nanos := coalesce(v_count.spent, 0);
  NEW.held_nanos := coalesce(v_count.held, 0);
  RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION count_new_budget FROM PUBLIC;
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_trigger WHERE tgname = 'budgets_count_new' AND tgrelid = 'budgets'::regclass) THEN
    CREATE TRIGGER budgets_count_new BEFORE INSERT ON budgets FOR EACH ROW EXECUTE FUNCTION count_new_budget();
  END IF;
END $$;
