import { addDays, type LocalDate } from "@pixcharge/core/calendar"
import { type FeesInput, type FixedOrPercent, parseFees } from "@pixcharge/core/money"
import { aCompany, anOrder, aPayer } from "@pixcharge/adapter-tests/fixtures"
import { it } from "@pixcharge/adapter-tests/suites"
import { type BankExchange } from "@pixcharge/simulated-bank"
import { Ajv } from "ajv"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import fc from "fast-check"
import { describe, expect, it as test } from "vitest"
import { definitions, operations } from "./schemas/definitions.ts"
import { makeEveryCall } from "./schemas/everyCall.ts"
import { flawsOfExchange } from "./schemas/schemaFlaws.ts"
import { readOfficialSchemas } from "./schemas/officialSchemas.ts"
import { dueDateBody } from "../src/wire/bodies.ts"

const share: fc.Arbitrary<FixedOrPercent> = fc.oneof(
  fc.record({ kind: fc.constant("fixed" as const), amountCents: fc.integer({ min: 1, max: 999_999_999_999 }) }),
  fc.record({ kind: fc.constant("percent" as const), basisPoints: fc.integer({ min: 1, max: 9999 }) }),
)
const days = fc.constantFrom("calendar" as const, "business" as const)
const basisPoints = fc.integer({ min: 1, max: 9999 })
const amountCents = fc.integer({ min: 1, max: 999_999_999_999 })
const daysBefore = fc.integer({ min: 0, max: 3650 })
const tiers = <A>(tier: Record<string, fc.Arbitrary<A>>) =>
  fc.uniqueArray(fc.record({ daysBefore, ...tier }), {
    minLength: 1,
    maxLength: 3,
    selector: (one) => one["daysBefore"],
  })

const fees = fc.record(
  {
    fine: share,
    abatement: share,
    interest: fc.oneof(
      fc.record({ kind: fc.constant("fixedPerDay"), days, amountCents }),
      fc.record({ kind: fc.constantFrom("percentPerDay", "percentPerMonth", "percentPerYear"), days, basisPoints }),
    ),
    discount: fc.oneof(
      fc.record({ kind: fc.constant("fixedUntil"), tiers: tiers({ amountCents }) }),
      fc.record({ kind: fc.constant("percentUntil"), tiers: tiers({ basisPoints }) }),
      fc.record({ kind: fc.constant("fixedPerDayEarly"), days, amountCents }),
      fc.record({ kind: fc.constant("percentPerDayEarly"), days, basisPoints }),
    ),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<FeesInput>

const apiCalls = (exchanges: ReadonlyArray<BankExchange>) => exchanges.filter(({ path }) => path !== "/oauth/token")

describe("the API's schemas", () => {
  it.live("accept every call that we make", () =>
    Effect.gen(function* () {
      const calls = apiCalls((yield* makeEveryCall).exchanges)
      expect(calls.flatMap(flawsOfExchange)).toEqual([])
      const never = operations.filter(
        ({ method, path }) => !calls.some((call) => call.method === method && path.test(call.path)),
      )
      // These calls are made in notices.test.ts, which confirms a payment, and in registerWebhook.test.ts, which
      // replaces a webhook.
      expect(never.map(({ method, path }) => `${method} ${path.source}`)).toEqual([
        "GET ^\\/pix\\/[a-zA-Z0-9]+$",
        "GET ^\\/webhook\\/[^/]+$",
        "DELETE ^\\/webhook\\/[^/]+$",
      ])
    }),
  )

  it.live("reject wrong requests and wrong answers", () =>
    Effect.gen(function* () {
      const calls = apiCalls((yield* makeEveryCall).exchanges)
      for (const call of calls.filter(({ status, method }) => status < 400 && method === "PUT")) {
        const wrongRequest = { ...(call.request as object), tpTransacao: 11 }
        expect(flawsOfExchange({ ...call, request: wrongRequest }), call.path).not.toEqual([])
      }
      for (const call of calls.filter(({ answer }) => answer !== undefined)) {
        for (const field of ["valor", "status", "type"].filter((one) => one in (call.answer as object))) {
          const wrongAnswer = { ...(call.answer as object), [field]: 1 }
          expect(flawsOfExchange({ ...call, answer: wrongAnswer }), `${call.path} ${field}`).toHaveLength(
            field === "status" && call.status >= 400 ? 0 : 1,
          )
        }
      }
    }),
  )

  test("accept a due-date charge with any fees, and its discounts end by the due date", () => {
    const ajv = new Ajv({ strict: false })
    const validate = ajv.compile({ ...definitions.CobVSolicitada, definitions })
    fc.assert(
      fc.property(fees, fc.integer({ min: 0, max: 1826 }), (input, ahead) => {
        const company = aCompany({ fees: Result.getOrThrow(parseFees(input)) })
        const dueDate = addDays("2026-11-20" as LocalDate, ahead)
        const body = dueDateBody(Effect.runSync(anOrder(company)), dueDate, aPayer)
        expect(validate(body), ajv.errorsText(validate.errors)).toBe(true)
        const { desconto } = body.valor as { desconto?: { descontoDataFixa?: ReadonlyArray<{ data: string }> } }
        expect((desconto?.descontoDataFixa ?? []).every(({ data }) => data <= dueDate)).toBe(true)
      }),
      { numRuns: process.env["LONG"] === undefined ? 200 : 20_000 },
    )
  })
})

const officialFile = process.env["API_PIX_OPENAPI"]

describe("the central bank's own file", () => {
  test("accepts every call that we make, and every answer", { tags: ["officialSchemas"] }, () =>
    Effect.gen(function* () {
      const schemaFlaws = yield* Effect.promise(() => readOfficialSchemas(officialFile ?? ""))
      const calls = apiCalls((yield* makeEveryCall).exchanges)
      expect(calls.length).toBeGreaterThan(20)
      expect(calls.flatMap(schemaFlaws)).toEqual([])
      expect(schemaFlaws({ ...calls[0]!, request: { webhookUrl: 1 } })).not.toEqual([])
    }).pipe(Effect.scoped, Effect.runPromise),
  )
})
