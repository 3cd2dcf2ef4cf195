-- What the server's role may do with the tables of the console. Sessions, tokens, counters and mail
-- may go; top-ups and what Stripe said stay for ever.
DO $$
BEGIN
  IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'turnpike_app') THEN
    GRANT SELECT, INSERT, UPDATE, DELETE ON sessions, email_tokens, throttles, outbox TO turnpike_app;
    GRANT SELECT, INSERT, UPDATE ON top_ups, stripe_inbox TO turnpike_app;
    GRANT UPDATE (stripe_customer_id, low_balance_alert_nanos, low_balance_alerted_at)
      ON accounts TO turnpike_app;
  END IF;
END $$;
