/** One page of a list. */
export interface Page<A> {
  readonly items: ReadonlyArray<A>
  /** Asks for the next page; opaque, and absent on the last page. */
  readonly cursor?: string
}

/** Which page of a list to read. */
export interface PageRequest {
  /** The cursor of the page before; absent for the first page. */
  readonly cursor?: string
  /** The most items on the page: 1 to 1000; a limit outside counts as the nearer end (`pageSize`). */
  readonly limit: number
}
