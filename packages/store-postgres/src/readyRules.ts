import { InvalidOption } from "@pixcharge/core"
import { checkOptions, hasMethods, oneOf, type OptionRule, type OptionRules, required } from "@pixcharge/core/internal"
import type { Connection } from "./Connection.ts"
import type { ReadyOptions } from "./ready.ts"

const isPGlite = (value: unknown): boolean => hasMethods(value, "query", "execProtocol")

const promiseHint = "it is a promise: await it first"

/** Names the usual mistakes. */
const hint = (value: unknown): string | undefined => {
  if (hasMethods(value, "then")) return promiseHint
  if (typeof value === "string") return "it is a text: give new pg.Pool({ connectionString }) of the package pg"
  if (isPGlite(value)) return "it is a PGlite: give pgliteConnection(pglite)"
  if (typeof value === "function") return "it is a function: of Neon's give neonConnection(neon), of a Pool an instance"
  return hasMethods(value, "execute") || hasMethods(value, "$queryRaw")
    ? "it is an ORM: give the pool that the ORM was given"
    : undefined
}

const aConnection: OptionRule = {
  mustBe: "a pg.Pool, or what pgliteConnection or neonConnection makes",
  holds: (value) => hasMethods(value, "query") && !isPGlite(value),
  hint,
}

/** Throws `InvalidOption` for options that `caller` can't use; a connection in their place is the usual mistake. */
export const checkConnection = <A>(caller: string, given: unknown, rules: OptionRules<A>): void => {
  if (!hasMethods(given, "query")) return checkOptions(caller, given, rules)
  throw new InvalidOption({ message: `${caller}: a connection is an option: ${caller}({ db: pool }).` })
}

/** Throws `InvalidOption` where what is to become a connection, as `caller` makes it, runs no query. */
export const checkSource = (caller: string, given: unknown, mustBe: string): void => {
  if (typeof Reflect.get(Object(given), "query") === "function") return
  const said = hasMethods(given, "then") ? `${mustBe}; ${promiseHint}` : mustBe
  throw new InvalidOption({ message: `${caller} needs ${said}.` })
}

/** The options that stores and directory share. */
export const readyRules: OptionRules<ReadyOptions & { readonly db: Connection }> = {
  db: required(aConnection),
  schema: { mustBe: "a text", holds: (value) => typeof value === "string" },
  migrations: oneOf("run", "check"),
}
