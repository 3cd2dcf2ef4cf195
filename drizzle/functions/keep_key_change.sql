-- keep_key_change: notes what was changed of a key, before and after, in one row for each transaction: of the key
-- itself, its spend limits (budgets of the key) and its models and addresses (its guardrail). The arguments of a trigger name the
-- values; what a key was created with is no change. Triggers fire only for what people change: acquisitions, which
-- touch the row of a key and its budgets with every batch, name none of these columns.
CREATE OR REPLACE FUNCTION keep_key_change() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  v_old jsonb := coalesce(to_jsonb(OLD), '{}');
  v_new jsonb := coalesce(to_jsonb(NEW), '{}');
  v_of jsonb := v_old || v_new;
  v_account uuid := v_of ->> 'account_id';
  v_key uuid := v_of ->> CASE TG_TABLE_NAME WHEN 'api_keys' THEN 'id' ELSE 'subject_id' END;
  v_changes jsonb;
BEGIN
  IF TG_TABLE_NAME = 'budgets' THEN
    v_old := jsonb_build_object(v_of ->> 'period' || '_limit_nanos', v_old -> 'limit_nanos');
    v_new := jsonb_build_object(v_of ->> 'period' || '_limit_nanos', v_new -> 'limit_nanos');
  END IF;
  SELECT jsonb_object_agg(name, jsonb_build_array(v_old ->> name, v_new ->> name)) INTO v_changes
    FROM unnest(TG_ARGV) AS name
   WHERE v_old ->> name IS DISTINCT FROM v_new ->> name;
  IF v_old ->> 'hash' <> v_new ->> 'hash' THEN
    v_changes := coalesce(v_changes, '{}') || '{"secret": [null, null]}';
  END IF;
  IF v_changes IS NULL THEN RETURN NULL; END IF;
  UPDATE key_changes SET changes = changes || v_changes
   WHERE account_id = v_account AND key_id = v_key AND at = now();
  IF NOT FOUND THEN
    INSERT INTO key_changes (account_id, key_id, changes)
      SELECT k.account_id, k.id, v_changes FROM api_keys k
       WHERE k.account_id = v_account AND k.id = v_key AND k.created_at < now();
  END IF;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION keep_key_change FROM PUBLIC;
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_trigger WHERE tgname = 'budgets_keep_limit') THEN
    RETURN;
  END IF;
  CREATE OR REPLACE TRIGGER api_keys_keep_change AFTER UPDATE OF name, hash, disabled_at, revoked_at, expires_at,
    previous_until, requests_per_minute, tokens_per_minute, concurrency ON api_keys FOR EACH ROW
    EXECUTE FUNCTION keep_key_change('name', 'disabled_at', 'revoked_at', 'expires_at', 'previous_until',
      'requests_per_minute', 'tokens_per_minute', 'concurrency');
  CREATE TRIGGER budgets_keep_limit AFTER INSERT OR UPDATE OF limit_nanos ON budgets FOR EACH ROW
    WHEN (NEW.kind = 'key')
    EXECUTE FUNCTION keep_key_change('day_limit_nanos', 'week_limit_nanos', 'month_limit_nanos', 'total_limit_nanos');
  CREATE TRIGGER budgets_keep_removal AFTER DELETE ON budgets FOR EACH ROW WHEN (OLD.kind = 'key')
    EXECUTE FUNCTION keep_key_change('day_limit_nanos', 'week_limit_nanos', 'month_limit_nanos', 'total_limit_nanos');
  CREATE TRIGGER guardrails_keep_rules AFTER INSERT OR UPDATE OF allowed_models, allowed_addresses ON guardrails
    FOR EACH ROW WHEN (NEW.kind = 'key') EXECUTE FUNCTION keep_key_change('allowed_models', 'allowed_addresses');
  CREATE TRIGGER guardrails_keep_removal AFTER DELETE ON guardrails FOR EACH ROW WHEN (OLD.kind = 'key')
    EXECUTE FUNCTION keep_key_change('allowed_models', 'allowed_addresses');
END $$;
