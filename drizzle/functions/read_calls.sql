-- read_calls: the rows of an array of record literals, in its order, each with the columns of `requests`. A process of the
-- version before does not know the columns that were added since, which are the last ones: its records have p_members
-- members, and what they lack is null.
CREATE OR REPLACE FUNCTION read_calls(p_members integer, p_calls text) RETURNS requests[]
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
BEGIN
  RETURN p_calls::requests[];
EXCEPTION WHEN invalid_text_representation THEN
  -- Members are counted in an empty record, '(,,)' for three: the cast waits for a column that is being added, and this
  -- statement sees the catalog as it was before.
  RETURN ARRAY(
    SELECT (left(x.call, -1)
            || repeat(',', length(jsonb_populate_record(NULL::requests, '{}')::text) - 1 - p_members) || ')')::requests
      FROM unnest(p_calls::text[]) WITH ORDINALITY AS x (call, position) ORDER BY x.position);
END $$;
