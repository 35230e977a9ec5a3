import { type Change, ChargeStore } from "@pixcharge/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { PaymentOwners } from "../paymentOwners.ts"
import type { ShardPorts, StoreShards } from "../Shards.ts"
import { atCompanies, someAnswers } from "./atCompanies.ts"
import { atCompany } from "./atCompany.ts"
import { allAnswers, atEveryShard } from "./atEveryShard.ts"
import type { QuietShards } from "./QuietShards.ts"
import { unlessSilent } from "./unlessSilent.ts"

const storeOf = ({ ports }: ShardPorts) => Context.get(ports, ChargeStore)

/** Whether something may be to be claimed after it. */
const touchesQueues = ({ deliveries, unsent }: Change): boolean => deliveries.length > 0 || unsent !== undefined

/** The change without payments that are refused, and without the move that one of them was to settle. */
const withoutPayments = (change: Change, refused: ReadonlyArray<string>): Change => {
  const { next, ...facts } = change
  const payments = change.payments.filter(({ endToEndId }) => !refused.includes(endToEndId))
  const isRefused = next !== undefined && "payment" in next && refused.includes(next.payment.endToEndId)
  return { ...(isRefused ? facts : change), payments }
}

/**
 * Charges in shards. A payment is claimed for its company before that company's shard records it. `changed` leaves out what a failing shard has: whoever watches it is told when the shard answers again. It
 * fails if that shard was asked for a charge that wasn't seen before, for one that is left out counts as one that doesn't exist.
 */
export const routedChargeStore = (
  shards: StoreShards,
  quiet: QuietShards,
  owners: PaymentOwners,
): ChargeStore["Service"] => {
  const at = atCompany(shards)
  const atShards = atCompanies(shards)
  const everyShard = atEveryShard(shards)

  const commitAtShard = (change: Change) =>
    at(change.issuer, (shard) => {
      const commit = storeOf(shard).commit(change)
      return touchesQueues(change) ? quiet.changing(shard.id, commit) : commit
    })

  return ChargeStore.of({
    insert: (charge) => at(charge.issuer, (shard) => storeOf(shard).insert(charge)),
    find: (issuer, id) => at(issuer, (shard) => storeOf(shard).find(issuer, id)),
    commit: Effect.fnUntraced(function* (change) {
      const endToEndIds = change.payments.map(({ endToEndId }) => endToEndId)
      const refused = yield* owners.refused(change.issuer, endToEndIds)
      if (refused.length === 0) return yield* commitAtShard(change)
      const committed = yield* commitAtShard(withoutPayments(change, refused))
      return { ...committed, foreignPayments: [...committed.foreignPayments, ...refused] }
    }),
    recordUnmatched: (payment, returns) =>
      Effect.flatMap(owners.refused(payment.issuer, [payment.endToEndId]), ({ length }) =>
        length > 0
          ? Effect.succeed(false)
          : at(payment.issuer, (shard) => storeOf(shard).recordUnmatched(payment, returns)),
      ),
    issuers: (ids, company) =>
      company === undefined
        ? Effect.map(allAnswers(everyShard((shard) => unlessSilent(storeOf(shard).issuers(ids)), 4)), (found) =>
            found.flat(),
          )
        : at(company, (shard) => storeOf(shard).issuers(ids, company)),
    standings: (shown) =>
      Effect.flatMap(
        atShards(
          shown,
          (one) => one,
          (shard, part) => unlessSilent(storeOf(shard).standings(part)),
        ),
        someAnswers,
      ),
    changed: Effect.fnUntraced(function* (seen) {
      const { answers, failed } = yield* atShards(
        seen,
        (one) => one,
        (shard, part) => unlessSilent(storeOf(shard).changed(part)),
      )
      const missed = failed.find(({ items }) => items.some(({ version }) => version === 0))
      if (missed !== undefined) return yield* Effect.fail(missed.failure)
      return answers.flat()
    }),
  })
}
