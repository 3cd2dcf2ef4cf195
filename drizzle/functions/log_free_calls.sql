-- For processes of version 71 and before, which may run beside this one or after going back a version: later ones
-- call `log_calls`.
-- log_free_calls: rows of calls that moved no money, refused or answered from the response cache, once each. The
-- server's role writes them only through this function, which sets no column of money. (A right to insert some
-- columns only would not reach the shards of a distributed `requests`.)
--   p_calls  an array of objects with the columns below; `details` is JSON as text
CREATE OR REPLACE FUNCTION log_free_calls(p_calls jsonb) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO requests (account_id, id, key_id, state, origin, operation, trace_id, model, streamed,
      user_agent, app, end_user, status, outcome, error_code, usage_details, total_ms, ended_at)
    SELECT c.account_id, c.id, c.key_id, CASE WHEN c.error_code IS NULL THEN 'released' ELSE 'refused' END,
           c.origin, c.operation, c.request_id, c.model, c.streamed, c.user_agent,
           c.app, c.end_user, c.status,
           CASE WHEN c.error_code IS NULL THEN 'completed' ELSE 'refused' END,
           c.error_code, c.details::jsonb, c.total_ms, now()
      FROM jsonb_to_recordset(p_calls) AS c(account_id uuid, id uuid, key_id uuid, origin text, operation text,
        request_id text, model text, streamed boolean, user_agent text, app text, end_user text, status integer,
        error_code text, details text, total_ms real)
    ON CONFLICT DO NOTHING;
END $$;
