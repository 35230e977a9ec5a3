import type { SchemaName } from "../../SchemaName.ts"

/** Who changed what: rows that are never changed or deleted. */
export const auditLog = (schema: SchemaName): string => `
CREATE TABLE ${schema}.audit_log (
  issuer               text COLLATE "C" NOT NULL,
  -- The database's own time, in whole milliseconds: pages continue from what was read of it.
  at                   timestamptz NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
  id                   bigserial NOT NULL,
  actor                text,
  kind                 text NOT NULL,
  details              json NOT NULL,
  PRIMARY KEY (issuer, at, id)
);

CREATE FUNCTION ${schema}.refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON ${schema}.audit_log
  FOR EACH ROW EXECUTE FUNCTION ${schema}.refuse_audit_change();
CREATE TRIGGER never_truncated BEFORE TRUNCATE ON ${schema}.audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.refuse_audit_change();

-- Records a change of the directory under the actor whom its statement names in pixcharge.actor.
CREATE FUNCTION ${schema}.record_change(issuer text, kind text, details json) RETURNS void LANGUAGE sql AS $$
  INSERT INTO ${schema}.audit_log (issuer, actor, kind, details)
  VALUES ($1, nullif(current_setting('pixcharge.actor', true), ''), $2, $3)
$$;
`
