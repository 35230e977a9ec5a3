import type { Migration } from "./olderFlaws.ts"

/** A schema step of the next release. Older releases tolerate it, because they don't use the new objects. */
export const nextStep = (known: ReadonlyArray<Migration>): Migration => {
  const { version } = known.at(-1) as Migration
  return {
    version: version + 1,
    name: "chaos",
    readableFrom: version,
    statements: `
ALTER TABLE @.charges ADD COLUMN newer text NOT NULL DEFAULT 'newer';
ALTER TABLE @.payments ADD COLUMN newer text;
CREATE INDEX charges_newer ON @.charges (issuer, newer, created_at);`,
  }
}
