-- has_ledger_key: what a server that starts wants to know of its LEDGER_KEY, from its proof of the word start (null where
-- it has no key): unasked if the database asks for no proofs, else known or unknown.
CREATE OR REPLACE FUNCTION has_ledger_key(p_proof bytea) RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  RETURN CASE WHEN NOT EXISTS (SELECT FROM ledger_keys) THEN 'unasked'
              WHEN is_proof('start', p_proof) THEN 'known' ELSE 'unknown' END;
END $$;
