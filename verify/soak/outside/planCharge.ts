import type { SeededRandom } from "@pixcharge/adapter-tests/fixtures"
import { companies, type Company } from "../../world/companies.ts"

/** The plan of one charge. Times are from `performance.now()`. */
export interface ChargePlan {
  readonly company: Company
  readonly cents: number
  readonly issueAt: number
  readonly statusAt: ReadonlyArray<number>
  readonly pageAt?: number
  readonly payAt?: number
  readonly isNoticeLost: boolean
  readonly refundAt?: number
}

/**
 * The shares of charges whose page is opened and that are paid, and the shares of paid charges that are refunded and
 * whose notice is lost.
 */
const shares = { page: 0.4, paid: 0.75, refunded: 0.15, noticeLost: 0.01 }

/**
 * Plans the life of a charge that is issued at `issueAt`. All times are fixed in advance and don't depend on answers.
 */
export const planCharge = (issueAt: number, { next, between: whole, chance }: SeededRandom): ChargePlan => {
  const between = (fromMs: number, toMs: number): number => issueAt + fromMs + next() * (toMs - fromMs)
  const company = companies[whole(0, companies.length - 1)] as Company
  const payAt = between(3_000, 8_000)
  const isPaid = chance(shares.paid)
  const isNoticeLost = chance(shares.noticeLost)
  return {
    company,
    cents: whole(100, 100_100),
    issueAt,
    statusAt: [between(1_000, 2_500), between(9_000, 14_000)],
    ...(chance(shares.page) && { pageAt: between(500, 2_000) }),
    ...(isPaid && { payAt }),
    isNoticeLost,
    ...(isPaid && !isNoticeLost && chance(shares.refunded) && { refundAt: between(15_000, 20_000) }),
  }
}
