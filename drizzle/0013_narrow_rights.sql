-- What a key and an account have spent is moved by place_holds and settle_holds alone, and a request
-- that the server writes by itself, a refused one, moves no money: its rights say so, by column.
DO $$
BEGIN
  IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'turnpike_app') THEN
    REVOKE UPDATE ON api_keys FROM turnpike_app;
    GRANT UPDATE (name, hash, masked, changed_at, disabled_at, revoked_at, expires_at, previous_hash,
        previous_until, requests_per_minute, tokens_per_minute, concurrency, allowed_models,
        allowed_addresses, day_limit_nanos, week_limit_nanos, month_limit_nanos, total_limit_nanos)
      ON api_keys TO turnpike_app;
    REVOKE INSERT ON requests FROM turnpike_app;
    GRANT INSERT (account_id, id, key_id, state, origin, trace_id, model, streamed, user_agent, status,
        outcome, error_code, total_ms, ended_at)
      ON requests TO turnpike_app;
  END IF;
END $$;
