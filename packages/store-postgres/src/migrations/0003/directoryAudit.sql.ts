import type { SchemaName } from "../../SchemaName.ts"

/**
 * Triggers that record every change of the directory, whatever statement makes it, and refuse TRUNCATE. They see the row that a change found
 * and the one that it left, also when two changes meet, and record nothing where both are the same.
 */
export const directoryAudit = (schema: SchemaName): string => `
CREATE FUNCTION ${schema}.record_registration() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  -- company or reseller
  kind_of text := TG_ARGV[0];
  new_row jsonb := to_jsonb(NEW);
  old_row jsonb := '{"wallet_active": true}';
  facts json;
  new_reseller text;
  old_reseller text;
BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM ${schema}.record_change(OLD.cnpj, kind_of || 'Removed', '{}');
    RETURN NULL;
  ELSIF TG_OP = 'INSERT' THEN
    PERFORM ${schema}.record_change(NEW.cnpj, kind_of || 'Registered', '{}');
  ELSE
    old_row := to_jsonb(OLD);
    SELECT json_agg(key ORDER BY key COLLATE "C") INTO facts
    FROM jsonb_each(new_row - ARRAY['cnpj', 'wallet_active', 'reseller', 'associated'])
    WHERE value IS DISTINCT FROM old_row -> key;
    IF facts IS NOT NULL THEN
      PERFORM ${schema}.record_change(NEW.cnpj, kind_of || 'Changed', json_build_object('facts', facts));
    END IF;
  END IF;
  IF new_row -> 'wallet_active' <> old_row -> 'wallet_active' THEN
    PERFORM ${schema}.record_change(
      NEW.cnpj, CASE WHEN NEW.wallet_active THEN 'walletActivated' ELSE 'walletDeactivated' END,
      json_build_object('of', kind_of)
    );
  END IF;
  new_reseller := CASE WHEN (new_row ->> 'associated')::boolean THEN new_row ->> 'reseller' END;
  old_reseller := CASE WHEN (old_row ->> 'associated')::boolean THEN old_row ->> 'reseller' END;
  IF new_reseller IS DISTINCT FROM old_reseller THEN
    IF old_reseller IS NOT NULL THEN
      PERFORM ${schema}.record_change(NEW.cnpj, 'associationEnded', json_build_object('reseller', old_reseller));
    END IF;
    IF new_reseller IS NOT NULL THEN
      PERFORM ${schema}.record_change(NEW.cnpj, 'associationBegun', json_build_object('reseller', new_reseller));
    END IF;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER audited AFTER INSERT OR UPDATE OR DELETE ON ${schema}.companies
  FOR EACH ROW EXECUTE FUNCTION ${schema}.record_registration('company');
CREATE TRIGGER audited AFTER INSERT OR UPDATE OR DELETE ON ${schema}.resellers
  FOR EACH ROW EXECUTE FUNCTION ${schema}.record_registration('reseller');

CREATE FUNCTION ${schema}.record_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM ${schema}.record_change(NEW.holder, 'keySet', '{}');
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM ${schema}.record_change(OLD.holder, 'keyRevoked', '{}');
  ELSIF NEW IS DISTINCT FROM OLD THEN
    PERFORM ${schema}.record_change(NEW.holder, 'keyReplaced', '{}');
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER audited AFTER INSERT OR UPDATE OR DELETE ON ${schema}.credentials
  FOR EACH ROW EXECUTE FUNCTION ${schema}.record_key();

CREATE FUNCTION ${schema}.url_host(url text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT substring($1 FROM '^https?://(?:[^/?#\\\\]*@)?([^/?#\\\\]*)')
$$;

CREATE FUNCTION ${schema}.record_endpoint() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM ${schema}.record_change(
      NEW.owner, 'endpointSet', json_build_object('endpointId', NEW.id, 'host', ${schema}.url_host(NEW.url))
    );
    RETURN NULL;
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM ${schema}.record_change(
      OLD.owner, 'endpointRemoved', json_build_object('endpointId', OLD.id, 'host', ${schema}.url_host(OLD.url))
    );
    RETURN NULL;
  END IF;
  IF to_jsonb(NEW) - 'status' <> to_jsonb(OLD) - 'status' THEN
    PERFORM ${schema}.record_change(NEW.owner, 'endpointReplaced', json_build_object(
      'endpointId', NEW.id, 'host', ${schema}.url_host(NEW.url), 'hostBefore', ${schema}.url_host(OLD.url)
    ));
  END IF;
  IF NEW.status <> OLD.status THEN
    PERFORM ${schema}.record_change(
      NEW.owner,
      CASE NEW.status WHEN 'enabled' THEN 'endpointResumed' WHEN 'paused' THEN 'endpointPaused' ELSE 'endpointDisabled' END,
      json_build_object('endpointId', NEW.id)
    );
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER audited AFTER INSERT OR UPDATE OR DELETE ON ${schema}.endpoints
  FOR EACH ROW EXECUTE FUNCTION ${schema}.record_endpoint();

CREATE FUNCTION ${schema}.refuse_truncation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log can''t tell whose rows a TRUNCATE of % removes: use DELETE', TG_TABLE_NAME
    USING ERRCODE = 'insufficient_privilege';
END
$$;
${["companies", "resellers", "credentials", "endpoints"]
  .map(
    (table) => `CREATE TRIGGER never_truncated BEFORE TRUNCATE ON ${schema}.${table}
  FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.refuse_truncation();`,
  )
  .join("\n")}
`
