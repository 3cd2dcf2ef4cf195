-- require_proof: refuses what moves money, or lets money be moved, unless one of the keys in ledger_keys proves that a
-- server of this installation wants exactly that: the password of its role is not enough. p_proof is the HMAC-SHA-256
-- of p_what. The role that owns the tables proves nothing, and nobody does while there are no keys.
CREATE OR REPLACE FUNCTION require_proof(p_what text, p_proof bytea) RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM ledger_keys) OR is_proof(p_what, p_proof) OR pg_has_role(session_user,
      (SELECT relowner FROM pg_class WHERE oid = 'public.accounts'::regclass), 'MEMBER') THEN
    RETURN;
  END IF;
  RAISE EXCEPTION 'a movement of money needs the proof of a server with the LEDGER_KEY of this database'
    USING ERRCODE = 'insufficient_privilege';
END $$;
