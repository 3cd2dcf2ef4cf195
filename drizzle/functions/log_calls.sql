-- log_calls: rows of calls that moved no money, refused or answered from the response cache, once each. The server's role
-- writes them only through this function, which gives none a lease, money or usage. (A right to insert some columns only would
-- not reach the shards of a distributed `requests`.)
--   p_calls  an array of rows of `requests`, as a literal, of p_members members each: see `read_calls`
CREATE OR REPLACE FUNCTION log_calls(p_members integer, p_calls text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  v_call requests; v_free requests[];
BEGIN
  FOREACH v_call IN ARRAY read_calls(p_members, p_calls) LOOP
    v_call.state := CASE WHEN v_call.error_code IS NULL THEN 'released' ELSE 'refused' END;
    v_call.outcome := CASE WHEN v_call.error_code IS NULL THEN 'completed' ELSE 'refused' END;
    v_call.prompt_tokens := 0;
    v_call.completion_tokens := 0;
    v_call.cached_tokens := 0;
    v_call.cache_write_tokens := 0;
    v_call.cache_write_1h_tokens := 0;
    v_call.reasoning_tokens := 0;
    v_call.lease_id := NULL;
    v_call.transaction_id := NULL;
    v_call.held_nanos := 0;
    v_call.cost_nanos := 0;
    v_call.charged_nanos := 0;
    v_call.shortfall_nanos := 0;
    v_call.placed_at := now();
    v_call.ended_at := now();
    v_free := v_free || v_call;
  END LOOP;
  INSERT INTO requests SELECT x.* FROM unnest(v_free) x ON CONFLICT DO NOTHING;
END $$;
