export interface Migration {
  readonly version: number
  readonly name: string
  readonly readableFrom?: number | undefined
  readonly statements: string
}

const describeMigration = ({ version, name }: Migration): string => `${version} (${name})`

const isSame = (older: Migration, newer: Migration | undefined): boolean =>
  newer?.version === older.version && newer.name === older.name && newer.statements === older.statements

export const schemaFlaw = (older: ReadonlyArray<Migration>, newer: ReadonlyArray<Migration>): string | undefined => {
  const last = older.at(-1)
  if (last === undefined) return "its store-postgres has no migrations"
  const other = older.find((migration, index) => !isSame(migration, newer[index]))
  if (other !== undefined)
    return `its migration ${describeMigration(other)} differs from the working tree's, which treats its schema as unreleased`
  const refusing = newer
    .slice(older.length)
    .findLast(({ version, readableFrom = version }) => readableFrom > last.version)
  if (refusing === undefined) return undefined
  const { version, readableFrom = version } = refusing
  return `its last migration is ${describeMigration(last)}, and after ${describeMigration(refusing)} only releases that have migration ${readableFrom} may continue`
}
