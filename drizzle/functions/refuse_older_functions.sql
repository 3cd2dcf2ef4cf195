-- refuse_older_functions: a build whose functions are older than those of the database, or have no version, replaces
-- none of them: what it applies and what it records of it are one transaction, which this ends.
CREATE OR REPLACE FUNCTION refuse_older_functions() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  v_applied integer := (SELECT functions_version FROM schema_state);
BEGIN
  IF coalesce(nullif(current_setting('turnpike.functions_version', true), ''), '0')::integer < v_applied THEN
    RAISE EXCEPTION 'this version of Turnpike is too old for the database, which has the SQL functions of a later one (%)', v_applied
      USING HINT = 'Run the version that migrated the database, or restore the backup.';
  END IF;
  RETURN NEW;
END $$;
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_trigger WHERE tgname = 'schema_functions_never_older') THEN
    CREATE TRIGGER schema_functions_never_older BEFORE INSERT ON schema_functions FOR EACH ROW
      EXECUTE FUNCTION refuse_older_functions();
  END IF;
END $$;
