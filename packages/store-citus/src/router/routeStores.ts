import {
  type Change,
  ChargeStore,
  type ClaimedReconciliation,
  type ClaimRequest,
  DueChecks,
  type DueKind,
  Reconciliations,
} from "@pixcharge/core"
import type { Charge, PaymentException } from "@pixcharge/core/charges"
import { logFailure } from "@pixcharge/core/internal"
import { type DueRecurrence, RecurrenceStore } from "@pixcharge/core/recurring"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { ShardPorts, StoreShards } from "../shards/Shards.ts"
import type { PaymentOwners } from "../shards/paymentOwners.ts"
import type { IdleShards } from "./IdleShards.ts"
import {
  callAtCompanies,
  callAtCompany,
  callAtEveryShard,
  callPortAtCompany,
  failIfSilent,
  requireAllAnswers,
  requireSomeAnswers,
} from "./callAtCompanies.ts"
import { makeShardClaims } from "./makeShardClaims.ts"
import { addDepths, maxAtOnce } from "./routeOutbox.ts"

const getStore = ({ ports }: ShardPorts) => Context.get(ports, ChargeStore)

const touchesQueues = ({ deliveries, exceptions = [], unsent }: Change): boolean =>
  deliveries.length > 0 || exceptions.length > 0 || unsent !== undefined

/** Drops payments owned by other companies, and the move if one of these payments settles it. */
const removePayments = (change: Change, refused: ReadonlyArray<string>): Change => {
  const { next, ...facts } = change
  const payments = change.payments.filter(({ endToEndId }) => !refused.includes(endToEndId))
  const isRefused = next !== undefined && "payment" in next && refused.includes(next.payment.endToEndId)
  return { ...(isRefused ? facts : change), payments }
}

/**
 * A payment is claimed for its company before that company's shard records it.
 *
 * `changed` skips the charges of a failing shard: their watchers get the changes once the shard answers again. It fails if the
 * caller has never seen one of these charges, because a skipped charge counts as missing.
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
    recordUnmatched: Effect.fnUntraced(function* (payment, returns, exceptions = []) {
      const refused = yield* owners.claim(payment.issuer, [payment.endToEndId])
      if (refused.length > 0) return false
      return yield* at(payment.issuer, (shard) => {
        const recorded = getStore(shard).recordUnmatched(payment, returns, exceptions)
        return exceptions.length > 0 ? idle.makeChange(shard.id, recorded) : recorded
      })
    }),
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

const allKinds = new Set<DueKind>(["deliveries", "charges", "exceptions", "recurrences", "companies"])

/** While a shard fails, any work can be due, and the depth is unknown: a sum without one shard would be wrong. */
export const routeDueChecks = Effect.fnUntraced(function* (shards: StoreShards, idle: IdleShards) {
  const at = callPortAtCompany(shards, DueChecks)

  const everyShard = callAtEveryShard(shards)

  return DueChecks.of({
    look: Effect.fnUntraced(function* (now) {
      const { answers, failures } = yield* everyShard(
        ({ id, ports }) =>
          Effect.tap(failIfSilent(Context.get(ports, DueChecks).look(now)), ({ kinds }) =>
            Effect.sync(() => kinds.has("deliveries") && idle.recordChange(id)),
          ),
        maxAtOnce,
      )
      if (failures.length > 0) return { kinds: allKinds }
      const kinds = new Set(answers.flatMap((one) => [...one.kinds]))
      return { kinds, depth: addDepths(answers.flatMap(({ depth }) => depth ?? [])) }
    }),
    claimCharges: yield* makeShardClaims<ClaimRequest, Charge>(shards, {
      claim: ({ ports }, request) => Context.get(ports, DueChecks).claimCharges(request),
      complaint: "The due checks of a shard could not be claimed; other shards are not affected",
    }),
    claimExceptions: yield* makeShardClaims<ClaimRequest, PaymentException>(shards, {
      claim: ({ ports }, request) => Context.get(ports, DueChecks).claimExceptions(request),
      complaint: "The due refunds of a shard could not be claimed; other shards are not affected",
    }),
    scheduleCharge: (charge, checkAt, made) =>
      at(charge.issuer, (checks) => checks.scheduleCharge(charge, checkAt, made)),
    scheduleException: (exception, checkAt) =>
      at(exception.payment.issuer, (checks) => checks.scheduleException(exception, checkAt)),
  })
})

type Request = Parameters<Reconciliations["Service"]["claim"]>[0]

const getReconciliations = ({ ports }: ShardPorts) => Context.get(ports, Reconciliations)

/** `enter` skips a failing shard. A later call enters that shard's new companies. */
export const routeReconciliations = Effect.fnUntraced(function* (shards: StoreShards) {
  const at = callPortAtCompany(shards, Reconciliations)
  const everyShard = callAtEveryShard(shards)

  const claims = yield* makeShardClaims<Request & { readonly limit: number }, ClaimedReconciliation>(shards, {
    claim: (shard, request) =>
      Effect.map(getReconciliations(shard).claim(request), (claimed) => (claimed ? [claimed] : [])),
    complaint: "The due companies of a shard could not be claimed; other shards are not affected",
  })

  return Reconciliations.of({
    enter: Effect.fnUntraced(function* (now, publishesExpiry) {
      const { answers, failures } = yield* everyShard((shard) => getReconciliations(shard).enter(now, publishesExpiry))
      const [failure] = failures
      if (failure !== undefined && answers.length === 0) return yield* Effect.fail(failure)
      if (failure !== undefined) yield* logFailure("Warn", "New companies of a shard could not be entered", failure)
      return answers.reduce((sum, entered) => sum + entered, 0)
    }),
    wake: (issuer, now) => at(issuer, (reconciliations) => reconciliations.wake(issuer, now)),
    claim: (request) => Effect.map(claims({ ...request, limit: 1 }), ([claimed]) => claimed),
    expiryEventsSince: (issuer) => at(issuer, (reconciliations) => reconciliations.expiryEventsSince(issuer)),
    save: (claimed, turn) => at(claimed.issuer, (reconciliations) => reconciliations.save(claimed, turn)),
    waiting: (issuer, search) => at(issuer, (reconciliations) => reconciliations.waiting(issuer, search)),
  })
})

export const routeRecurrenceStore = Effect.fnUntraced(function* (shards: StoreShards, idle: IdleShards) {
  const at = callPortAtCompany(shards, RecurrenceStore)
  const atShard = callAtCompany(shards)
  const everyShard = callAtEveryShard(shards)

  return RecurrenceStore.of({
    insert: (recurrence, checkAt, audit) => at(recurrence.issuer, (store) => store.insert(recurrence, checkAt, audit)),
    find: (issuer, id) => at(issuer, (store) => store.find(issuer, id)),
    bankIdsOfOthers: (issuer, contract) =>
      Effect.map(
        requireAllAnswers(
          everyShard(({ ports }) => Context.get(ports, RecurrenceStore).bankIdsOfOthers(issuer, contract)),
        ),
        (answers) => answers.flat(),
      ),
    commit: (change) =>
      atShard(change.issuer, ({ id, ports }) => {
        const commit = Context.get(ports, RecurrenceStore).commit(change)
        return change.deliveries.length > 0 ? idle.makeChange(id, commit) : commit
      }),
    list: (issuer, filter, page) => at(issuer, (store) => store.list(issuer, filter, page)),
    charges: (issuer, id, page) => at(issuer, (store) => store.charges(issuer, id, page)),
    lastCharge: (issuer, id, cycle) => at(issuer, (store) => store.lastCharge(issuer, id, cycle)),
    openCharges: (issuer, id) => at(issuer, (store) => store.openCharges(issuer, id)),
    claim: yield* makeShardClaims<ClaimRequest, DueRecurrence>(shards, {
      claim: ({ ports }, request) => Context.get(ports, RecurrenceStore).claim(request),
      complaint: "The due recurrences of a shard could not be claimed; other shards are not affected",
    }),
    scheduleNamed: (issuer, named, checkAt) => at(issuer, (store) => store.scheduleNamed(issuer, named, checkAt)),
    schedule: (issuer, id, checkAt, version) => at(issuer, (store) => store.schedule(issuer, id, checkAt, version)),
  })
})
