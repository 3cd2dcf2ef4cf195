-- What a key may spend are its budgets, and what it may call is its guardrail: its row no longer says either.
CREATE VIEW key_limits AS
  SELECT k.account_id, k.id AS key_id, b.day_limit_nanos, b.week_limit_nanos, b.month_limit_nanos, b.total_limit_nanos,
         g.allowed_models, g.allowed_addresses
    FROM api_keys k
    CROSS JOIN LATERAL (
      SELECT max(y.limit_nanos) FILTER (WHERE y.period = 'day') AS day_limit_nanos,
             max(y.limit_nanos) FILTER (WHERE y.period = 'week') AS week_limit_nanos,
             max(y.limit_nanos) FILTER (WHERE y.period = 'month') AS month_limit_nanos,
             max(y.limit_nanos) FILTER (WHERE y.period = 'total') AS total_limit_nanos
        FROM budgets y WHERE y.account_id = k.account_id AND y.subject_id = k.id AND y.kind = 'key') b
    LEFT JOIN guardrails g ON g.account_id = k.account_id AND g.subject_id = k.id AND g.kind = 'key';
--> statement-breakpoint
-- The columns are kept for servers of the version before, which read and write them beside this one. The triggers of
-- keep_key_budgets and keep_key_guardrail bring what they write to budgets and guardrails; those below show them what this version
-- writes there. The migration that drops the columns drops these three functions with their triggers, once
-- api_keys_keep_change is the trigger that keep_key_change.sql creates.
CREATE FUNCTION show_limits_to_older_servers() RETURNS trigger
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
--> statement-breakpoint
CREATE TRIGGER budgets_show_limit AFTER INSERT OR UPDATE OF limit_nanos ON budgets FOR EACH ROW
  WHEN (NEW.kind = 'key') EXECUTE FUNCTION show_limits_to_older_servers();
--> statement-breakpoint
CREATE TRIGGER budgets_show_removal AFTER DELETE ON budgets FOR EACH ROW
  WHEN (OLD.kind = 'key') EXECUTE FUNCTION show_limits_to_older_servers();
--> statement-breakpoint
CREATE TRIGGER guardrails_show_rules AFTER INSERT OR UPDATE OF allowed_models, allowed_addresses ON guardrails
  FOR EACH ROW WHEN (NEW.kind = 'key') EXECUTE FUNCTION show_limits_to_older_servers();
--> statement-breakpoint
CREATE TRIGGER guardrails_show_removal AFTER DELETE ON guardrails FOR EACH ROW
  WHEN (OLD.kind = 'key') EXECUTE FUNCTION show_limits_to_older_servers();
