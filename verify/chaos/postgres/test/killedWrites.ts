import { resolve } from "node:path"
import { writeIn } from "../statements.ts"

const store = resolve(import.meta.dirname, "../../../../packages/store-postgres/src")

/** The name by which histories know a statement of the store. */
const writeOf = async (file: string, statement: string): Promise<string> => {
  const { [statement]: inSchema } = await import(resolve(store, file))
  const write = writeIn(inSchema("pixcharge").text)
  if (write === undefined) throw new Error(`${statement} writes nothing`)
  return write.name
}

const commits = "charges/commitCharges.sql.ts"

/** The writes at whose edges processes must have been killed. */
export const killedWrites: Readonly<Record<string, ReadonlyArray<string>>> = {
  "an insert": [await writeOf("charges/insertCharges.sql.ts", "insertCharges")],
  "a commit": [await writeOf(commits, "commitCharges"), await writeOf(commits, "commitRecorded")],
  "an exception's commit": [await writeOf("exceptions/exceptions.sql.ts", "commitException")],
  "a settlement": [await writeOf("outbox/settleDeliveries.sql.ts", "settleDeliveries")],
}
