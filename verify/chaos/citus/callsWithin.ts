import type { MadeCall } from "./Ledger.ts"

/** Two moments, in epoch milliseconds. */
export interface Span {
  readonly from: number
  readonly until: number
}

/** The calls that were begun and ended within a span, apart by how they ended. */
export const callsWithin = (
  calls: ReadonlyArray<MadeCall>,
  { from, until }: Span,
): { readonly answered: ReadonlyArray<MadeCall>; readonly failed: ReadonlyArray<MadeCall> } => {
  const within = calls.filter(({ beganAt, tookMs }) => beganAt >= from && beganAt + tookMs <= until)
  return {
    answered: within.filter(({ failure }) => failure === undefined),
    failed: within.filter(({ failure }) => failure !== undefined),
  }
}
