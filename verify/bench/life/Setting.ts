/** Where the host of the life finds what it works with. */
export interface Setting {
  readonly databaseUrl: string
  readonly bankUrl: string
  readonly receiverUrl: string
}

/** What the host is asked: to do all that is due. */
export type Order = "tick"

/** What it says: once that it listens, and to each order. */
export type Report =
  | { readonly _tag: "Ready"; readonly port: number }
  | { readonly _tag: "Done" }
  | { readonly _tag: "Failed"; readonly reason: string }
