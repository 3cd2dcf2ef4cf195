-- The row of an answer from the cache names the call that was charged for it.
DO $$
BEGIN
  IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'turnpike_app') THEN
    GRANT INSERT (usage_details) ON requests TO turnpike_app;
  END IF;
END $$;
