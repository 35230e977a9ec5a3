import { PaymentProcessor } from "@pixcharge/core"
import { addDays, brasiliaDate } from "@pixcharge/core/calendar"
import type { Cents, FeesInput } from "@pixcharge/core/money"
import { parseFees } from "@pixcharge/core/money"
import type { RequestedRecurrence } from "@pixcharge/core/recurrence"
import { RecurrenceProcessor } from "@pixcharge/core/recurring"
import { apiPix, type ApiPixConnection, type ReceivingAccount } from "@pixcharge/processor-api-pix"
import { Bank, bankWays, makeHandler, standardWays } from "@pixcharge/simulated-bank"
import {
  aCompany,
  aCycleCharge,
  anApprovedRecurrence,
  anOrder,
  aPayer,
  aRecurrence,
  aRefundOrder,
  registeredPending,
} from "@pixcharge/adapter-tests/fixtures"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { plainChance } from "../../src/ledger/BankChance.ts"
import { nameCall } from "../../src/wire/BankRequest.ts"
import { bodySchemaOf, listFlaws, methods } from "./schemas.ts"

const company = aCompany({ pixKey: "loja@example.com" })
const { cnpj } = company
const account = { cnpj, name: company.name, pixKeys: [company.pixKey], clientId: "loja", clientSecret: "secret" }
const receivingAccount: ReceivingAccount = { branch: "0001", number: "1234567", kind: "checking" }

interface Sent {
  readonly call: string
  readonly body: unknown
}

const open = Effect.fnUntraced(function* (sent: Array<Sent>, connection: Partial<ApiPixConnection> = {}) {
  const { probeWebhook: _, ...ways } = { ...standardWays(), ...bankWays.efi.sandbox }
  const bank = new Bank([account], ways, plainChance())
  const { handle } = makeHandler(bank)
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const { pathname } = new URL(url)
    const call = nameCall(init.method ?? "GET", pathname.replace(/^\/v2/, ""))
    if (pathname !== "/oauth/token" && typeof init.body === "string") sent.push({ call, body: JSON.parse(init.body) })
    return handle(new Request(url, init))
  }
  const { clientId, clientSecret } = account
  const named = { psp: "efi", stage: "sandbox", clientId, clientSecret, fetch, receivingAccount, ...connection }
  const host = apiPix({
    companies: { [cnpj]: { skipWebhookMtls: true, ...named } as unknown as ApiPixConnection },
    noticeSecrets: ["a secret of the webhook's addresses"],
  })
  const context = yield* Layer.build(host.processor)
  return {
    bank,
    host,
    processor: Context.get(context, PaymentProcessor),
    recurrences: Context.get(context, RecurrenceProcessor),
  }
})

type Opened = Effect.Success<ReturnType<typeof open>>

const flawsOf = (sent: ReadonlyArray<Sent>): ReadonlyArray<string> =>
  sent.flatMap(({ call, body }) => listFlaws(bodySchemaOf(call), body).map((flaw) => `${call} ${flaw}`))

const fees: ReadonlyArray<FeesInput> = [
  {},
  {
    fine: { kind: "percent", basisPoints: 200 },
    interest: { kind: "percentPerMonth", days: "calendar", basisPoints: 100 },
    abatement: { kind: "fixed", amountCents: 10 },
    discount: { kind: "fixedUntil", tiers: [{ daysBefore: 1, amountCents: 5 }] },
  },
  { discount: { kind: "percentPerDayEarly", days: "business", basisPoints: 10 } },
]

const issue = Effect.fnUntraced(function* ({ processor }: Opened) {
  for (const input of fees) {
    const priced = { ...company, fees: Result.getOrThrow(parseFees(input)) }
    for (const dueInDays of [undefined, 3]) {
      const texts = { messageToPayer: "Pedido 7", additionalInfo: [{ name: "Pedido", value: "7" }] }
      const more = { ...(dueInDays !== undefined && { dueInDays }), ...(input.fine && texts) }
      const order = yield* anOrder(priced, more)
      const charge = registeredPending(order, yield* processor.register(order))
      yield* processor.change({ ...order, amountCents: 2500 as Cents })
      yield* processor.cancel(charge)
    }
  }
  const named = yield* anOrder(company, { payer: aPayer, payableForSeconds: 60 })
  yield* processor.register(named)
})

const refund = Effect.fnUntraced(function* ({ bank, processor }: Opened, reason?: string) {
  const order = yield* anOrder(company)
  yield* processor.register(order)
  const { endToEndId, paidAt } = bank.pay(cnpj, order.txid)!
  const paid = { issuer: cnpj, endToEndId, amountCents: 100 as Cents, paidAt, txid: order.txid }
  return yield* processor.refund({ ...aRefundOrder(paid as never), ...(reason !== undefined && { reason }) })
})

const request = (more: Partial<RequestedRecurrence> = {}) => {
  const createdAt = Date.now()
  const journey = { by: "code" as const, until: createdAt + 30 * 86_400_000 }
  const startDate = addDays(brasiliaDate(createdAt), 5)
  return aRecurrence({ issuer: cnpj, createdAt, journey, startDate, amountCents: 4_990 as Cents, ...more })
}

const byBank = (branch?: string) => ({
  by: "bank" as const,
  ispb: "60701190",
  account: "123456",
  until: Date.now() + 86_400_000,
  ...(branch !== undefined && { branch }),
})

const recur = Effect.fnUntraced(function* ({ bank, recurrences }: Opened, more: Partial<RequestedRecurrence> = {}) {
  const requested = request(more)
  const { bankId } = yield* recurrences.offer({ company, recurrence: requested, isFresh: true })
  bank.recurring.approve(bankId)
  const recurrence = anApprovedRecurrence(requested, { bankId })
  const dueDate = requested.startDate
  const charge = aCycleCharge(recurrence, { settlesOn: dueDate }, { dueDate, amountCents: 4_990 as Cents })
  yield* recurrences.charge({ company, charge })
  yield* recurrences.cancelCharge(charge)
  yield* recurrences.end(recurrence)
})

/** Runs the work, and returns its outcome, the calls that our processor sent, and their breaches of the SDK's schemas. */
const send = (work: (opened: Opened) => Effect.Effect<unknown, unknown>, connection?: Partial<ApiPixConnection>) => {
  const sent: Array<Sent> = []
  return Effect.gen(function* () {
    const outcome = yield* Effect.result(Effect.flatMap(open(sent, connection), work))
    return { outcome, calls: sent.map(({ call }) => call), flaws: flawsOf(sent) }
  }).pipe(Effect.scoped, Effect.runPromise)
}

interface IncompleteWork {
  readonly what: string
  readonly work: Parameters<typeof send>[0]
  readonly connection?: Partial<ApiPixConnection>
  readonly tag: string
}

/** Work that lacks a field which Efí's contract requires. */
const incomplete: ReadonlyArray<IncompleteWork> = [
  {
    what: "an amount of a recurrence",
    work: ({ recurrences }) => {
      const { amountCents: _, ...recurrence } = request()
      return recurrences.offer({ company, recurrence, isFresh: true })
    },
    tag: "ProcessorRejected",
  },
  {
    what: "the branch of a payer's account",
    work: (opened) => recur(opened, { journey: byBank() }),
    tag: "ProcessorRejected",
  },
  {
    what: "the branch of the account that receives",
    work: recur,
    connection: { receivingAccount: { number: "1234567", kind: "checking" } } as Partial<ApiPixConnection>,
    tag: "ApiPixMisconfigured",
  },
]

describe("our processor at Efí", () => {
  it("sends bodies that match the SDK's schemas for charges of both kinds with fees, for a return and for recurrences", async () => {
    const { outcome, calls, flaws } = await send((opened) =>
      Effect.gen(function* () {
        yield* issue(opened)
        yield* refund(opened)
        yield* recur(opened)
        yield* recur(opened, { journey: byBank("0001") })
        const { amountCents: _, ...recurrence } = request({ floorCents: 1_000 as Cents })
        yield* opened.recurrences.offer({ company, recurrence, isFresh: true })
        const order = { pixKey: company.pixKey, mountedAt: "https://loja.example", reconcile: async () => undefined }
        yield* Effect.promise(() => opened.host.registerWebhook(cnpj, order))
      }),
    )
    expect({ flaws, outcome }).toMatchObject({ flaws: [], outcome: { _tag: "Success" } })
    const unsent = ["POST cob", "POST loc", "PATCH solicrec {id}", "POST cobr"]
    expect(Object.keys(methods).filter((call) => !calls.includes(call))).toEqual(unsent)
  })

  it("sends a body that breaks no SDK schema for a return with a reason", async () => {
    const { outcome, calls, flaws } = await send((opened) => refund(opened, "troca"))
    expect({ outcome, flaws }).toMatchObject({ outcome: { success: { _tag: "Processing" } }, flaws: [] })
    expect(calls).toContain("PUT pix {id} devolucao")
  })

  it.each(incomplete)("sends no body if $what is missing", async ({ work, connection, tag }) => {
    const { outcome, calls } = await send(work, connection)
    expect({ outcome, calls }).toMatchObject({ outcome: { failure: { _tag: tag } }, calls: [] })
  })
})
