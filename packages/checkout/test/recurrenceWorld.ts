import { StoreUnavailable } from "@pixcharge/core"
import { RecurrenceStore } from "@pixcharge/core/recurring"
import { cycleSchedule, newCycleCharge, parseRecurrenceRequest } from "@pixcharge/core/recurrence"
import type {
  ApprovedRecurrence,
  Journey,
  Recurrence,
  RecurrenceEnd,
  RecurrenceRequestInput,
} from "@pixcharge/core/recurrence"
import { nationalBankHolidays } from "@pixcharge/core/calendar"
import { type Cents } from "@pixcharge/core/money"
import type { Cnpj } from "@pixcharge/core/party"
import { memoryStore } from "@pixcharge/store-memory"
import { testPix, type TestPixOptions } from "@pixcharge/testing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { randomUUID } from "node:crypto"
import { checkout, type CheckoutOptions } from "../src/checkout.ts"
import { url } from "./world.ts"

/** An authorising code from the central bank's manual. */
export const authorizingCode =
  "00020126180014br.gov.bcb.pix5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***80800014br.gov.bcb.pix2558pix.example.com/qr/v2/rec/2353c790eefb11eaadc10242ac120002630462C9"

const request = {
  payer: { name: "Maria Canario", taxId: "52998224725" },
  title: "Clube do livro",
  period: "monthly",
  startDate: "2027-03-20",
  amountCents: 4_990,
} as const

export const recurrenceWorld = (options: Partial<CheckoutOptions> = {}, pixOptions: TestPixOptions = {}) => {
  const down = new Set<string>()
  let stored: RecurrenceStore["Service"] | undefined
  const store = Layer.effectContext(
    Effect.map(Layer.build(memoryStore()), (context) => {
      const recurrences = Context.get(context, RecurrenceStore)
      stored = recurrences
      const unavailable = new StoreUnavailable({ operation: "find", cause: "no shard" })
      return Context.add(context, RecurrenceStore, {
        ...recurrences,
        find: (of, id) => Effect.suspend(() => (down.has(of) ? Effect.fail(unavailable) : recurrences.find(of, id))),
      })
    }),
  )
  const pix = testPix({ ...pixOptions, store, checkout: checkout({ url, ...options }) })
  const issuer = pix.company.cnpj as Cnpj
  const port = async () => {
    await pix.ready()
    if (stored === undefined) throw new Error("expected the store to be built")
    return stored
  }

  /** Stores a recurrence that the bank has accepted. */
  const offer = async (
    input: Partial<RecurrenceRequestInput> = {},
    journey?: Journey,
    of = issuer,
  ): Promise<Recurrence> => {
    const parsed = Result.getOrThrow(
      parseRecurrenceRequest({ ...request, id: randomUUID(), journey: { by: "code" }, ...input }),
    )
    const { journey: requested, ...terms } = parsed
    const now = pix.clock.now()
    const recurrence: Recurrence = {
      ...terms,
      _tag: "Requested",
      issuer: of,
      journey: journey ?? (requested as Journey),
      createdAt: now,
      updatedAt: now,
      version: 1,
      nextCycle: 1,
    }
    await Effect.runPromise((await port()).insert(recurrence, now + 86_400_000))
    const brCode = recurrence.journey.by === "bank" ? {} : { brCode: authorizingCode }
    return move(recurrence, { _tag: "Offered", bankId: `RN${recurrence.contract.slice(0, 27)}`, ...brCode })
  }

  const move = async (from: Recurrence, fields: object): Promise<Recurrence> => {
    const next = { ...from, ...fields, version: from.version + 1 } as Recurrence
    const { issuer: of, id, version: expectedVersion } = from
    await Effect.runPromise((await port()).commit({ issuer: of, id, expectedVersion, next, deliveries: [] }))
    return next
  }

  return {
    pix,
    issuer,
    down,
    offer,
    approve: (from: Recurrence) => move(from, { _tag: "Approved", approvedAt: pix.clock.now() }),
    end: (from: Recurrence, reason: RecurrenceEnd["reason"]) =>
      move(from, { _tag: "Ended", end: { reason, at: pix.clock.now() } }),
    /** Stores the charge of the first cycle, and returns its id. */
    chargeCycle: async (from: Recurrence): Promise<string> => {
      const approved = from as ApprovedRecurrence
      const schedule = cycleSchedule(approved, 1, nationalBankHolidays)
      if (schedule === undefined) throw new Error("expected the first cycle to have a schedule")
      const given = { amountCents: 4_990 as Cents, generation: 1, transactionId: randomUUID() }
      const charge = newCycleCharge(approved, schedule, given, pix.clock.now())
      const next = { ...approved, nextCycle: 2, version: approved.version + 1 }
      const { id, version: expectedVersion } = approved
      await Effect.runPromise((await port()).commit({ issuer, id, expectedVersion, next, charge, deliveries: [] }))
      return charge.id
    },
    pathTo: async ({ issuer: of, id }: Recurrence) => (await pix.checkout.recurrenceLink(of, id)).slice(url.length),
    get: async (path: string, accept = "text/html") => {
      const answer = await pix.fetch(new Request(`https://x${path}`, { headers: { accept } }))
      return { status: answer.status, type: answer.headers.get("content-type"), text: await answer.text() }
    },
  }
}
