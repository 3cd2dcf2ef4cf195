-- Every right of the role that the server runs as, granted again at every start: the order in which
-- the role, the database and the tables were created does not matter. A migration that grants or revokes a
-- right changes this file too; a test compares the two. Runs as the owner of the tables.
DO $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'turnpike_app') THEN
    RETURN;
  END IF;
  GRANT USAGE ON SCHEMA public TO turnpike_app;
  -- A server without the owner's URL compares the applied migrations with its own.
  GRANT USAGE ON SCHEMA drizzle TO turnpike_app;
  GRANT SELECT ON drizzle.__drizzle_migrations TO turnpike_app;
  GRANT SELECT ON ALL TABLES IN SCHEMA public TO turnpike_app;
  GRANT INSERT, UPDATE, DELETE ON persons, memberships, instances, sessions, email_tokens, throttles,
    outbox, devices, stored_answers, identities, provider_attempts, domains, factors, recovery_codes, factor_challenges,
    factor_recoveries, guardrails TO turnpike_app;
  GRANT INSERT, UPDATE ON invitations, top_ups, stripe_inbox TO turnpike_app;
  GRANT INSERT, UPDATE, DELETE ON webhook_endpoints, auto_top_ups TO turnpike_app;
  GRANT INSERT, DELETE ON webhook_events TO turnpike_app;
  GRANT INSERT, UPDATE ON webhook_messages TO turnpike_app;
  GRANT INSERT ON webhook_attempts TO turnpike_app;
  GRANT INSERT ON catalog_texts, account_slugs, audit_log, person_events, prices, applied_catalogs TO turnpike_app;
  GRANT INSERT, UPDATE (sealed_private, retired_at) ON signing_keys TO turnpike_app;
  GRANT INSERT, DELETE ON write_proofs TO turnpike_app;
  GRANT DELETE ON rate_buckets TO turnpike_app;
  GRANT INSERT, UPDATE ON job_runs, route_health TO turnpike_app;
  GRANT INSERT, UPDATE (name, archived_at, prompt_days, redacts_prompts, prompts_void_before, response_hours,
    requests_per_minute, tokens_per_minute, concurrency) ON projects TO turnpike_app;
  GRANT INSERT, DELETE ON stored_prompts, shared_conversations TO turnpike_app;
  GRANT INSERT, DELETE, UPDATE (state, purpose, media_type, size, expires_at, sealed_head, sealed, blob, position) ON objects
    TO turnpike_app;
  GRANT INSERT, UPDATE, DELETE ON batches, batch_lines, runs, run_events TO turnpike_app;
  GRANT INSERT (account_id, id, kind, subject_id, period, limit_nanos, hard),
    UPDATE (limit_nanos, hard, mailed_percent, mailed_start, changed_at), DELETE ON budgets TO turnpike_app;
  GRANT INSERT (id, name, kind), UPDATE (name, slug, time_zone, closed_at, factors_required_from, suspended_at,
    recalled_until, stripe_customer_id, low_balance_alert_nanos, low_balance_alerted_at, audit_retention_days)
    ON accounts TO turnpike_app;
  GRANT INSERT, UPDATE (name, project_id, created_by, hash, masked, changed_at, disabled_at, revoked_at, expires_at,
    previous_hash, previous_until, requests_per_minute, tokens_per_minute, concurrency,
    shown_to, previous_shown_to) ON api_keys TO turnpike_app;
  GRANT INSERT, UPDATE, DELETE ON switched_off TO turnpike_app;
  GRANT INSERT, UPDATE ON management_keys TO turnpike_app;
  GRANT INSERT, UPDATE, DELETE ON status_days TO turnpike_app;
  GRANT INSERT, UPDATE (state, updated_at, resolved_at) ON incidents TO turnpike_app;
  GRANT INSERT ON incident_updates TO turnpike_app;
  GRANT UPDATE (company, tells_unusual_spend, unusual_spend_told_on, low_balance_mailed_at, revokes_leaked_keys, requests_per_minute, tokens_per_minute, concurrency) ON accounts TO turnpike_app;
  GRANT DELETE ON operators TO turnpike_app;
  GRANT INSERT ON operator_log, account_notes TO turnpike_app;
  GRANT INSERT, UPDATE (ended_at) ON account_views TO turnpike_app;
  GRANT UPDATE (checked_at) ON leases TO turnpike_app;
  GRANT UPDATE (rolled_from, rolled_to) ON usage_progress TO turnpike_app;
  GRANT INSERT, UPDATE ON book_checks TO turnpike_app;
  GRANT EXECUTE ON FUNCTION acquire_leases, release_leases, charge_calls, charge_single_call, charge_new_calls, charge_new_call, log_calls,
    post_movement, ensure_request_partitions, delete_unverified_persons, purge_audit_log, reversed_of_order, take_rates, set_operator,
    post_adjustment, set_credit_limit, set_price_terms, roll_up_usage, has_ledger_key TO turnpike_app;
  -- What the role's own statements, views and triggers call: these read with its rights.
  GRANT EXECUTE ON FUNCTION are_requests_distributed, budget_from, budget_start, count_budget, count_units, first_request,
    has_requests, late_charges_capped_since, lease_sum, leases_since, load_keys, pack_latency, requests_of_account, uuid7_floor
    TO turnpike_app;
  -- The keys that prove movements of money are the owner's alone.
  REVOKE ALL ON ledger_keys FROM turnpike_app;
END $$;
-- No function of ours is executed by a role that was not given it, of this version or a later one. PostgreSQL gives
-- each new one to every role: triggers, checks and views need none of that, but the role that uses the table.
DO $$
DECLARE
  v_function regprocedure;
BEGIN
  FOR v_function IN
    SELECT f.oid FROM pg_proc f
     WHERE f.pronamespace IN ('public'::regnamespace, 'drizzle'::regnamespace)
       AND pg_has_role(f.proowner, 'USAGE')
       AND EXISTS (SELECT FROM aclexplode(coalesce(f.proacl, acldefault('f', f.proowner))) WHERE grantee = 0)
       AND NOT EXISTS (SELECT FROM pg_depend
                        WHERE classid = 'pg_proc'::regclass AND objid = f.oid AND deptype = 'e')
  LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', v_function);
  END LOOP;
  -- Not as a superuser, whose default is also that of extensions.
  IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
    ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
  END IF;
END $$;
