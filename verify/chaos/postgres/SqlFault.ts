import { type Rule } from "@pixcharge/testkit/simulation"
import pg from "pg"

/** A rule that a store breaks whose SQL is refused, or a host that crashes: by it no fault is found. */
type CrashRule = "noDefects" | "nothingWaitsForEver"

/** A fault in the store's SQL: in statements that have the mark, texts are others. */
export interface SqlFault {
  readonly mark: string
  readonly changes: ReadonlyArray<readonly [from: string, to: string]>
}

/** A fault that histories must find. */
export interface SoughtSqlFault extends SqlFault {
  /** It is found by one of these. Of the rules that a history breaks only the first counts. */
  readonly rules: ReadonlyArray<Exclude<Rule, CrashRule>>
}

const planted = (text: string, { mark, changes }: SqlFault): string =>
  text.includes(mark) ? changes.reduce((changed, [from, to]) => changed.replaceAll(from, to), text) : text

/** A driver that sends the store's statements with the fault in them. */
export const faultyClient = (fault: SqlFault): typeof pg.Client =>
  class extends pg.Client {
    override query(...args: ReadonlyArray<unknown>): never {
      const [statement, ...rest] = args
      const isNamed = typeof statement === "object" && statement !== null && "text" in statement
      const sent = isNamed ? { ...statement, text: planted(String(statement.text), fault) } : statement
      return Reflect.apply(pg.Client.prototype.query, this, [sent, ...rest]) as never
    }
  }
