-- first_request: the id of an account's oldest request. PL/pgSQL for the reason that requests_of_account gives.
CREATE OR REPLACE FUNCTION first_request(p_account uuid) RETURNS uuid
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
BEGIN
  RETURN (SELECT x.id FROM requests x WHERE x.account_id = p_account ORDER BY x.id LIMIT 1);
END $$;
