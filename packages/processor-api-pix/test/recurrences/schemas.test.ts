import type { ChargeRequest } from "@pixcharge/core/charges"
import type { Cents } from "@pixcharge/core/money"
import type { TaxId } from "@pixcharge/core/party"
import type { RequestedRecurrence } from "@pixcharge/core/recurrence"
import { anOrder } from "@pixcharge/adapter-tests/fixtures"
import { it } from "./itSettles.ts"
import * as Effect from "effect/Effect"
import { describe, expect, test } from "vitest"
import { company } from "../bank/openBank.ts"
import { readOfficialSchemas } from "../schemas/officialSchemas.ts"
import { recurringOperations } from "../schemas/recurringOperations.ts"
import { flawsOfExchange } from "../schemas/schemaFlaws.ts"
import { aCycleCharge, aRecurrence } from "./aRecurrence.ts"
import { openRecurrences } from "./openRecurrences.ts"

const periods = ["weekly", "monthly", "quarterly", "halfYearly", "yearly"] as const

const listOffers = (chargeId: ChargeRequest["id"]): ReadonlyArray<Partial<RequestedRecurrence>> => [
  ...periods.map((period) => ({ period })),
  { endDate: "2099-12-31" as RequestedRecurrence["startDate"], retries: "none" },
  { payer: { name: "Empresa", taxId: "98765432000198" as TaxId } },
  { journey: { by: "payment", chargeId } },
  { journey: { by: "bank", ispb: "60701190", branch: "0001", account: "123456", until: Date.now() + 86_400_000 } },
]

const makeEveryCall = Effect.gen(function* () {
  const { psp, bank, processor, offer, approve, recurrences } = yield* openRecurrences()
  const order = yield* anOrder(company, {})
  yield* processor.register(order)
  for (const more of listOffers(order.id)) yield* offer(aRecurrence(more))
  const { amountCents: _, ...variable } = aRecurrence({ floorCents: 1_000 as Cents })
  yield* offer(variable)
  const { createdAt, ...recurrence } = yield* approve()
  yield* offer({ ...recurrence, createdAt, _tag: "Requested" }, {})
  const charge = aCycleCharge({ ...recurrence, createdAt })
  yield* recurrences.charge({ company, charge })
  psp.recurring.setBalance(recurrence.bankId, 0)
  psp.recurring.runDay(charge.cycle?.settlesOn ?? "")
  yield* recurrences.retry(charge, charge.cycle?.retryDays[0] ?? charge.cycle!.settlesOn)
  yield* recurrences.lookupCharge(charge)
  yield* recurrences.cancelCharge(charge)
  yield* recurrences.end({ ...recurrence, createdAt })
  const { pixKey } = company
  const webhook = { pixKey, mountedAt: "https://shop.invalid", reconcile: async () => undefined }
  yield* Effect.promise(() => bank.registerWebhook(company.cnpj, webhook))
  psp.ways.putOnWebhook = "refuses"
  yield* Effect.promise(() => bank.registerWebhook(company.cnpj, { ...webhook, mountedAt: "https://moved.invalid" }))
  return psp.exchanges.filter(({ path }) => path !== "/oauth/token")
})

describe("the API's schemas of Pix Automático", () => {
  it.live("accept every call that we make, and reject a wrong one", () =>
    Effect.gen(function* () {
      const calls = yield* makeEveryCall
      expect(calls.flatMap(flawsOfExchange)).toEqual([])
      const never = recurringOperations.filter(
        ({ method, path }) => !calls.some((call) => call.method === method && path.test(call.path)),
      )
      expect(never).toEqual([])
      for (const call of calls.filter(({ request }) => request !== undefined)) {
        const wrong = { ...(call.request as object), tipo: "rec" }
        expect(flawsOfExchange({ ...call, request: wrong }), call.path).not.toEqual([])
      }
    }),
  )

  test(
    "accept every call that we make if they are read from the central bank's own file",
    { tags: ["officialSchemas"] },
    () =>
      Effect.gen(function* () {
        const findFlaws = yield* Effect.promise(() => readOfficialSchemas(process.env["API_PIX_OPENAPI"] ?? ""))
        expect((yield* makeEveryCall).flatMap(findFlaws)).toEqual([])
      }).pipe(Effect.scoped, Effect.runPromise),
  )
})
