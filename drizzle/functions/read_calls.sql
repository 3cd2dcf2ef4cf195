-- read_calls: the rows of an array of record literals, in its order, each with the columns of `requests`. A process of the
-- version before does not know the columns that were added since, which are the last ones: its records have p_members
-- members, and what they lack is null.
CREATE OR REPLACE FUNCTION read_calls(p_members integer, p_calls text) RETURNS requests[]
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
DECLARE
  v_missing integer;
BEGIN
  RETURN p_calls::requests[];
EXCEPTION WHEN invalid_text_representation THEN
  SELECT count(*) - p_members INTO v_missing FROM pg_attribute
   WHERE attrelid = 'requests'::regclass AND attnum > 0 AND NOT attisdropped;
  RETURN ARRAY(
    SELECT (left(x.call, -1) || repeat(',', v_missing) || ')')::requests
      FROM unnest(p_calls::text[]) WITH ORDINALITY AS x (call, position) ORDER BY x.position);
END $$;
