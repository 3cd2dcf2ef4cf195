-- set_operator: makes a person an operator, or gives one another role, in the name of p_by, an operator who is an
-- owner. The role that owns the tables needs no one's name: it makes the first one. Returns the former role. p_proof:
-- see require_proof.
CREATE OR REPLACE FUNCTION set_operator(
  p_person uuid, p_role text, p_by uuid, p_by_name text, p_proof bytea DEFAULT NULL
) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  v_former text;
BEGIN
  -- One at a time, so that what allows it is still so when it is done.
  LOCK TABLE operators IN SHARE ROW EXCLUSIVE MODE;
  IF NOT EXISTS (SELECT FROM operators WHERE person_id = p_by AND role = 'owner') AND NOT pg_has_role(session_user,
      (SELECT relowner FROM pg_class WHERE oid = 'public.accounts'::regclass), 'MEMBER') THEN
    RAISE EXCEPTION 'only an operator who is an owner may choose operators' USING ERRCODE = 'insufficient_privilege';
  END IF;
  PERFORM require_proof(concat_ws(E'\n', 'operator', p_by, p_person, p_role), p_proof);
  SELECT role INTO v_former FROM operators WHERE person_id = p_person;
  INSERT INTO operators (person_id, role, granted_by) VALUES (p_person, p_role, p_by_name)
    ON CONFLICT (person_id) DO UPDATE SET role = p_role, granted_by = p_by_name, granted_at = now();
  RETURN v_former;
END $$;
