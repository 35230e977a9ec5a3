/** What a store's Layer may have besides: what it holds ends with the process, and its host hasn't said that it may. */
export interface Volatile {
  readonly isVolatile?: true
}
