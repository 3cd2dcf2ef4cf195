-- has_requests: whether an account has requests with such ids. PL/pgSQL for the reason that requests_of_account gives.
CREATE OR REPLACE FUNCTION has_requests(p_account uuid, p_from uuid, p_until uuid) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
BEGIN
  RETURN EXISTS (SELECT FROM requests x WHERE x.account_id = p_account AND x.id >= p_from AND x.id < p_until);
END $$;
