-- show_limits_to_older_servers: the columns in which a key had its limits are kept for servers of the version before, which
-- read and write them beside this one. The triggers of keep_key_budgets and keep_key_guardrail bring what they write to budgets
-- and guardrails; those below show them what this version writes there. Applied after keep_key_change, which would note what they
-- show as changes. The migration that drops the columns drops these three functions with their triggers, and this file goes.
CREATE OR REPLACE FUNCTION show_limits_to_older_servers() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  v_of jsonb := coalesce(to_jsonb(NEW), to_jsonb(OLD));
BEGIN
  UPDATE api_keys k SET day_limit_nanos = l.day_limit_nanos, week_limit_nanos = l.week_limit_nanos,
         month_limit_nanos = l.month_limit_nanos, total_limit_nanos = l.total_limit_nanos,
         allowed_models = l.allowed_models, allowed_addresses = l.allowed_addresses
    FROM key_limits l
   WHERE k.account_id = (v_of ->> 'account_id')::uuid AND k.id = (v_of ->> 'subject_id')::uuid
     AND l.account_id = k.account_id AND l.key_id = k.id;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION show_limits_to_older_servers FROM PUBLIC;
CREATE OR REPLACE TRIGGER budgets_show_limit AFTER INSERT OR UPDATE OF limit_nanos ON budgets FOR EACH ROW
  WHEN (NEW.kind = 'key') EXECUTE FUNCTION show_limits_to_older_servers();
CREATE OR REPLACE TRIGGER budgets_show_removal AFTER DELETE ON budgets FOR EACH ROW
  WHEN (OLD.kind = 'key') EXECUTE FUNCTION show_limits_to_older_servers();
CREATE OR REPLACE TRIGGER guardrails_show_rules AFTER INSERT OR UPDATE OF allowed_models, allowed_addresses ON guardrails
  FOR EACH ROW WHEN (NEW.kind = 'key') EXECUTE FUNCTION show_limits_to_older_servers();
CREATE OR REPLACE TRIGGER guardrails_show_removal AFTER DELETE ON guardrails FOR EACH ROW
  WHEN (OLD.kind = 'key') EXECUTE FUNCTION show_limits_to_older_servers();
