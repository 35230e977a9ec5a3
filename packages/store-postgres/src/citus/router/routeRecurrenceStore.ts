import type { ClaimRequest } from "@pixcharge/core"
import { type DueRecurrence, RecurrenceStore } from "@pixcharge/core/recurring"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { StoreShards } from "../Shards.ts"
import { callAtCompany, callPortAtCompany } from "./callAtCompany.ts"
import { callAtEveryShard, requireAllAnswers } from "./callAtEveryShard.ts"
import type { IdleShards } from "./IdleShards.ts"
import { makeShardClaims } from "./makeShardClaims.ts"

/** Recurrences in shards. */
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
      complaint: "The checks of a shard's recurrences could not be claimed; those of others are",
    }),
    scheduleNamed: (issuer, named, checkAt) => at(issuer, (store) => store.scheduleNamed(issuer, named, checkAt)),
    schedule: (issuer, id, checkAt, version) => at(issuer, (store) => store.schedule(issuer, id, checkAt, version)),
  })
})
