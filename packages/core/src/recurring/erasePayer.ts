import * as Effect from "effect/Effect"
import type { ChargePorts } from "../charges/ChargePorts.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import type { TaxId } from "../party/TaxId.ts"
import { PayerHasRecurrence } from "../recurrence/rules/recurrenceErrors.ts"

const pageSize = 100

/** Forgets the payer of recurrences that are over; refused while another of theirs isn't, for that one would go on to charge them. */
export const makeErasePayer = ({ recurrences }: ChargePorts) =>
  Effect.fnUntraced(function* (issuer: Cnpj, payer: TaxId, now: number) {
    let cursor: string | undefined
    do {
      const page = yield* recurrences.list(issuer, { payer }, { limit: pageSize, ...(cursor && { cursor }) })
      const open = page.items.find(({ _tag }) => _tag !== "Ended")
      if (open !== undefined) return yield* new PayerHasRecurrence({ issuer, id: open.id })
      cursor = page.cursor
    } while (cursor !== undefined)
    return yield* recurrences.erasePayer(issuer, payer, now)
  })
