import { ChargeArchive } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import type { ChargeRow, MemoryState } from "./MemoryState.ts"

const isSettledBefore = ({ charge }: ChargeRow, moment: number): boolean => {
  if (charge.checkAt !== undefined || charge._tag === "Refunding") return false
  return (charge._tag === "Pending" ? charge.watchUntil : charge.updatedAt) < moment
}

/** Archiving in this process, where it frees nothing: an archived charge is only counted once. */
export const makeChargeArchive = ({ companies }: MemoryState): ChargeArchive["Service"] =>
  ChargeArchive.of({
    archive: (settledBefore, limit) =>
      Effect.sync(() => {
        let count = 0
        for (const { charges } of companies.values()) {
          for (const row of charges.values()) {
            if (count === limit) return count
            if (row.archived || !isSettledBefore(row, settledBefore)) continue
            row.archived = true
            count += 1
          }
        }
        return count
      }),
  })
