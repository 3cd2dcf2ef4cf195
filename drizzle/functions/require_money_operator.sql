-- require_money_operator: refuses p_what unless p_operator is an operator whose role moves money and who has a second
-- factor, or the session is of the role that owns the tables, which needs no one's name.
CREATE OR REPLACE FUNCTION require_money_operator(p_operator uuid, p_what text) RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM operators o WHERE o.person_id = p_operator AND o.role IN ('owner', 'finance')
                    AND EXISTS (SELECT FROM factors f WHERE f.person_id = p_operator AND f.confirmed_at IS NOT NULL))
     AND NOT pg_has_role(session_user,
       (SELECT relowner FROM pg_class WHERE oid = 'public.accounts'::regclass), 'MEMBER') THEN
    RAISE EXCEPTION 'only an operator whose role moves money may %', p_what
      USING ERRCODE = 'insufficient_privilege';
  END IF;
END $$;
