/** How amounts and moments are written; times are Brasília's. */
export interface ViewFormats {
  /** Of integer cents: `R$ 1.234,56`. */
  readonly reais: (cents: number) => string
  /** Of a day as `YYYY-MM-DD`: `22/11/2026`. */
  readonly day: (date: string) => string
  /** The day at an instant: `22/11/2026`. */
  readonly date: (atMs: number) => string
  /** Both, within a sentence: `22/11/2026 às 14:05`. */
  readonly moment: (atMs: number) => string
}
