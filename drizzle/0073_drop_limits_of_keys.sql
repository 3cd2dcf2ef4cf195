-- What only servers of version 72 and before name: the columns in which a key had its limits, the functions that kept
-- them equal to its budgets and its guardrail, the former functions of charges, former signatures of others, and the right
-- to insert requests, with the trigger that bounded it.
CREATE OR REPLACE TRIGGER api_keys_keep_change AFTER UPDATE OF name, hash, disabled_at, revoked_at, expires_at,
  previous_until, requests_per_minute, tokens_per_minute, concurrency ON api_keys FOR EACH ROW
  EXECUTE FUNCTION keep_key_change('name', 'disabled_at', 'revoked_at', 'expires_at', 'previous_until',
    'requests_per_minute', 'tokens_per_minute', 'concurrency');--> statement-breakpoint
DO $$
DECLARE
  v_function regprocedure;
BEGIN
  FOR v_function IN
    SELECT oid FROM pg_proc
     WHERE pronamespace = 'public'::regnamespace
       AND proname IN ('keep_key_budgets', 'keep_key_guardrail', 'show_limits_to_older_servers', 'charge_requests',
                       'charge_single_request', 'log_free_calls', 'refuse_unpaid_request', 'acquire_leases', 'release_leases',
                       'post_movement', 'post_adjustment', 'set_credit_limit', 'set_price_terms', 'set_operator')
  LOOP
    EXECUTE format('DROP FUNCTION %s CASCADE', v_function);
  END LOOP;
  -- Those that are still there are made again after the migrations.
  IF to_regclass('schema_functions') IS NOT NULL THEN
    DELETE FROM schema_functions f
     WHERE to_regproc(replace(f.name, '.sql', '')) IS NULL;
  END IF;
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'turnpike_app') THEN
    REVOKE INSERT (account_id, id, key_id, state, origin, operation, trace_id, model, streamed, user_agent, status,
      outcome, error_code, usage_details, total_ms, ended_at) ON requests FROM turnpike_app;
  END IF;
END $$;--> statement-breakpoint
ALTER TABLE api_keys DROP day_limit_nanos, DROP week_limit_nanos, DROP month_limit_nanos, DROP total_limit_nanos,
  DROP allowed_models, DROP allowed_addresses;
