import { type Connection, printMigrations } from "@pixcharge/store-postgres"

export const parts = 4

/** Migrates a schema whose tables are partitioned by issuer, as Citus distributes tables by company. */
export const migratePartitioned = async (db: Connection, schema: string): Promise<void> => {
  const text = printMigrations({ schema }).replace(
    /(CREATE TABLE ("\w+"\.\w+) \(\n {2}issuer .*?\n\))( WITH \(.*?\))?;/gs,
    (_, statement: string, table: string, settings = "") => {
      const children = Array.from(
        { length: parts },
        (_part, index) =>
          `CREATE TABLE ${table}_${index} PARTITION OF ${table} FOR VALUES WITH (MODULUS ${parts}, REMAINDER ${index})${settings};`,
      )
      return `${statement} PARTITION BY HASH (issuer);\n${children.join("\n")}`
    },
  )
  await db.query({ text, values: [] })
}
