import type { Migration } from "./olderFlaws.ts"

/** The step of a release after these, which permits that they go on: what it adds, they know nothing of. */
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
