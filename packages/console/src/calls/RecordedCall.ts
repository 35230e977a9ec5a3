/** A header as the pages show it. */
export type ShownHeader = readonly [name: string, value: string]

/** One call of the contract and its answer, without secrets. */
export interface RecordedCall {
  readonly number: number
  /** Epoch milliseconds of business time. */
  readonly at: number
  readonly method: string
  readonly url: string
  readonly requestHeaders: ReadonlyArray<ShownHeader>
  /** Absent if no body was read. */
  readonly requestBody?: string
  /** Absent until there is an answer. */
  readonly answer?: {
    readonly status: number
    readonly headers: ReadonlyArray<ShownHeader>
    readonly body: string
    readonly tookMs: number
  }
}
