-- is_proof: whether a key in ledger_keys made p_proof of p_what. Digests of both are compared, so that the time it takes
-- says nothing about how much of a guess is right.
CREATE OR REPLACE FUNCTION is_proof(p_what text, p_proof bytea) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM ledger_keys k
                  WHERE sha256(sha256(k.outer_pad || sha256(k.inner_pad || convert_to(p_what, 'UTF8'))))
                      = sha256(p_proof))
$$;
