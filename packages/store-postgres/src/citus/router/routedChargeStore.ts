import { type Change, ChargeStore } from "@pixcharge/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { ShardPorts, StoreShards } from "../Shards.ts"
import { atCompanies } from "./atCompanies.ts"
import { atCompany } from "./atCompany.ts"
import type { QuietShards } from "./QuietShards.ts"
import { unlessSilent } from "./unlessSilent.ts"

const storeOf = ({ ports }: ShardPorts) => Context.get(ports, ChargeStore)

/** Whether something may be to be claimed after it. */
const touchesQueues = ({ deliveries, unsent }: Change): boolean => deliveries.length > 0 || unsent !== undefined

/**
 * Charges in shards. `changed` leaves out what a failing shard has: whoever watches it is told when the shard answers again. It
 * fails if that shard was asked for a charge that wasn't seen before, for one that is left out counts as one that doesn't exist.
 */
export const routedChargeStore = (shards: StoreShards, quiet: QuietShards): ChargeStore["Service"] => {
  const at = atCompany(shards)
  const atShards = atCompanies(shards)

  return ChargeStore.of({
    insert: (charge) => at(charge.issuer, (shard) => storeOf(shard).insert(charge)),
    find: (issuer, id) => at(issuer, (shard) => storeOf(shard).find(issuer, id)),
    commit: (change) =>
      at(change.issuer, (shard) => {
        const commit = storeOf(shard).commit(change)
        return touchesQueues(change) ? quiet.changing(shard.id, commit) : commit
      }),
    recordUnmatched: (payment, returns) =>
      at(payment.issuer, (shard) => storeOf(shard).recordUnmatched(payment, returns)),
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
