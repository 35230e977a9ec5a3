/** Both ends are epoch milliseconds; `from` belongs to the period, `until` doesn't. */
export interface Period {
  readonly from: number
  readonly until: number
}
