import { bankWays } from "@pixcharge/simulated-bank"
import { standardProfile } from "@pixcharge/processor-api-pix"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { c6 } from "../../src/profiles/c6.ts"
import { company } from "../bank/openBank.ts"
import { aCycleCharge } from "./aRecurrence.ts"
import { openRecurrences } from "./openRecurrences.ts"

it.live(
  "a connection to C6 sends an empty devedor with a cycle's charge, and reads answers that are signed or inside data",
  () =>
    Effect.gen(function* () {
      const { cyclePayer = "optional", reshape } = bankWays.c6.production
      const ways = { cyclePayer, ...(reshape !== undefined && { reshape }) }
      const profile = { ...standardProfile, recurrences: c6.recurrences ?? "offered" }
      const { psp, approve, recurrences } = yield* openRecurrences({ ways }, { profile })
      const recurrence = yield* approve()
      const charge = aCycleCharge(recurrence)
      yield* recurrences.charge({ company, charge })
      expect((yield* recurrences.lookupCharge(charge)).debit).toMatchObject({ attempts: [{ status: "scheduled" }] })
      const put = psp.exchanges.find(({ method, path }) => method === "PUT" && path.startsWith("/cobr/"))
      expect(put).toMatchObject({ request: { devedor: {} }, answer: { data: { status: "CRIADA" } } })
      expect(yield* recurrences.cancelCharge(charge)).toEqual({ _tag: "Cancelled" })
      expect(yield* recurrences.end(recurrence)).toMatchObject({ status: "cancelled", by: "company" })
    }),
)
