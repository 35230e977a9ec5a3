import {
  chargeFailures,
  dueDateOutOfRange,
  exchangeFailures,
  type Failure,
  notEligible,
  operationFailures,
} from "../../packages/http/src/wire/messages.ts"

/** Every failure that a caller may be answered with, but for those of single fields, as `status code text`. */
export const wireFailures: ReadonlyArray<string> = [
  ...new Set(
    [
      ...Object.values<Failure>(exchangeFailures),
      ...Object.values<Failure>(chargeFailures),
      ...Object.values<Failure>(operationFailures),
      notEligible(["companyWallet"]),
      dueDateOutOfRange("2026-11-20", "2031-11-20"),
    ].map(({ status, code, text }) => `${status} ${code} ${text}`),
  ),
]
