import { ChargeArchive } from "@pixcharge/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { StoreShards } from "../Shards.ts"
import { allAnswers, atEveryShard } from "./atEveryShard.ts"

/** The archive of settled charges, in shards. Fails if one fails, after the others have archived what they could. */
export const routedChargeArchive = (shards: StoreShards): ChargeArchive["Service"] => {
  const everyShard = atEveryShard(shards)
  return ChargeArchive.of({
    archive: Effect.fnUntraced(function* (settledBefore, limit) {
      let archived = 0
      const archiving = everyShard(({ ports }) =>
        Effect.suspend(() =>
          Effect.map(Context.get(ports, ChargeArchive).archive(settledBefore, limit - archived), (count) => {
            archived += count
          }),
        ),
      )
      yield* allAnswers(archiving)
      return archived
    }),
  })
}
