/**
 * Which of the packages that a host needs a revision lacks, in a sentence; undefined if it has all of them.
 *
 * @param {ReadonlyArray<string>} packages  the names of those that it has
 * @param {ReadonlyArray<string>} needed
 */
export const packageFlaw = (packages, needed) => {
  const missing = needed.filter((name) => !packages.includes(name))
  return missing.length > 0 ? `it has no ${missing.join(" and no ")}` : undefined
}

/** @typedef {{ version: number, name: string, readableFrom?: number, statements: (schema: string) => string }} Migration */

/** @type {(migration: Migration) => string} */
const nameOf = ({ version, name }) => `${version} (${name})`

/** @type {(older: Migration, newer: Migration | undefined) => boolean} */
const isSame = (older, newer) =>
  newer?.version === older.version && newer.statements('"pixcharge"') === older.statements('"pixcharge"')

/**
 * Why a release with the older migrations can't run on the schema that the newer ones make, in a sentence; undefined if it can.
 *
 * @param {ReadonlyArray<Migration>} older
 * @param {ReadonlyArray<Migration>} newer
 */
export const schemaFlaw = (older, newer) => {
  if (older.length === 0) return "its store-postgres has no migrations"
  const other = older.find((migration, at) => !isSame(migration, newer[at]))
  if (other !== undefined) return `its migration ${nameOf(other)} is not the working tree's`
  const refusing = newer
    .slice(older.length)
    .findLast(({ version, readableFrom = version }) => readableFrom > older.at(-1).version)
  if (refusing === undefined) return undefined
  const { version, readableFrom = version } = refusing
  return `its last migration is ${nameOf(older.at(-1))}, and after ${nameOf(refusing)} only releases that have migration ${readableFrom} may go on`
}
