import { type Change, ChargeStore } from "@pixcharge/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { PaymentOwners } from "../paymentOwners.ts"
import type { ShardPorts, StoreShards } from "../Shards.ts"
import { callAtCompanies, requireSomeAnswers } from "./callAtCompanies.ts"
import { callAtCompany } from "./callAtCompany.ts"
import type { IdleShards } from "./IdleShards.ts"
import { failIfSilent } from "./failIfSilent.ts"

const getStore = ({ ports }: ShardPorts) => Context.get(ports, ChargeStore)

/** Whether a change may bring deliveries that can be claimed. */
const touchesQueues = ({ deliveries, unsent }: Change): boolean => deliveries.length > 0 || unsent !== undefined

/** The change without the payments of other companies, and without its move if one of them was to settle it. */
const removePayments = (change: Change, refused: ReadonlyArray<string>): Change => {
  const { next, ...facts } = change
  const payments = change.payments.filter(({ endToEndId }) => !refused.includes(endToEndId))
  const isRefused = next !== undefined && "payment" in next && refused.includes(next.payment.endToEndId)
  return { ...(isRefused ? facts : change), payments }
}

/**
 * Charges in shards. A payment is claimed for its company before that company's shard records it.
 *
 * `changed` leaves out the charges of a failing shard: who watches one hears of it when the shard answers again. It fails if the
 * caller has never seen one of them, for a charge that is left out counts as one that doesn't exist.
 */
export const routeChargeStore = (
  shards: StoreShards,
  idle: IdleShards,
  owners: PaymentOwners,
): ChargeStore["Service"] => {
  const at = callAtCompany(shards)
  const atShards = callAtCompanies(shards)

  const commitAtShard = (change: Change) =>
    at(change.issuer, (shard) => {
      const commit = getStore(shard).commit(change)
      return touchesQueues(change) ? idle.makeChange(shard.id, commit) : commit
    })

  return ChargeStore.of({
    insert: (charge) => at(charge.issuer, (shard) => getStore(shard).insert(charge)),
    find: (issuer, id) => at(issuer, (shard) => getStore(shard).find(issuer, id)),
    commit: Effect.fnUntraced(function* (change) {
      const endToEndIds = change.payments.map(({ endToEndId }) => endToEndId)
      const refused = yield* owners.claim(change.issuer, endToEndIds)
      if (refused.length === 0) return yield* commitAtShard(change)
      const committed = yield* commitAtShard(removePayments(change, refused))
      return { ...committed, foreignPayments: [...committed.foreignPayments, ...refused] }
    }),
    recordUnmatched: (payment, returns) =>
      Effect.flatMap(owners.claim(payment.issuer, [payment.endToEndId]), ({ length }) =>
        length > 0
          ? Effect.succeed(false)
          : at(payment.issuer, (shard) => getStore(shard).recordUnmatched(payment, returns)),
      ),
    owners: owners.find,
    standings: (shown) =>
      Effect.flatMap(
        atShards(
          shown,
          (one) => one,
          (shard, part) => failIfSilent(getStore(shard).standings(part)),
        ),
        requireSomeAnswers,
      ),
    changed: Effect.fnUntraced(function* (seen) {
      const { answers, failures } = yield* atShards(
        seen,
        (one) => one,
        (shard, part) => failIfSilent(getStore(shard).changed(part)),
      )
      const missed = failures.find(({ items }) => items.some(({ version }) => version === 0))
      if (missed !== undefined) return yield* Effect.fail(missed.failure)
      return answers.flat()
    }),
  })
}
