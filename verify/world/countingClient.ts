import pg from "pg"

/** A client for pools that reports each statement. Each is a round trip. */
export const countingClient = (onStatement: (text: string) => void): typeof pg.Client =>
  class extends pg.Client {
    // The pool calls its client with a statement and gets a promise.
    override query(...given: Array<never>): never {
      const [statement] = given as ReadonlyArray<string | { readonly text: string }>
      if (statement !== undefined) onStatement(typeof statement === "string" ? statement : statement.text)
      return Reflect.apply(super.query, this, given) as never
    }
  } as typeof pg.Client
