import { txidOf } from "@pixcharge/verify/simulate/judge"
import type { ChargeOrder } from "@pixcharge/core"
import { decodeBrCode } from "@pixcharge/core/brcode"
import { type Cents, parseFees } from "@pixcharge/core/money"
import { parseTaxId } from "@pixcharge/core/party"
import { standardProfile } from "@pixcharge/processor-api-pix"
import { anOrder, aPayer, registeredPending } from "@pixcharge/adapter-tests/fixtures"
import { it } from "@pixcharge/adapter-tests/suites"
import type { SimulatedBank, BankWays } from "@pixcharge/simulated-bank"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { describe, expect, onTestFinished, vi } from "vitest"
import { orderMeaning } from "../../src/processor/orderTerms.ts"
import { openAnsweringBank } from "../bank/answeringBank.ts"
import { anotherProcessor, company, impatientProcessor, openBank } from "../bank/openBank.ts"
import { saying } from "../saying.ts"

const bookedCharge = (psp: SimulatedBank, { txid }: ChargeOrder) => psp.ledger.charges.get(`${company.cnpj}/${txid}`)

const bookedPayer = (psp: SimulatedBank, order: ChargeOrder) => bookedCharge(psp, order)?.terms.body?.devedor

const isPut = ({ method }: { readonly method: string }) => method === "PUT"

const bankCalls = (psp: SimulatedBank) =>
  psp.exchanges.filter(({ path }) => path !== "/oauth/token").map(({ method }) => method)

const refusing = { profile: { ...standardProfile, putOnExisting: "refuses" as const } }

describe("registering at a bank", () => {
  it.live("makes the charge under the txid that is made of company and id", () =>
    Effect.gen(function* () {
      const { psp, processor } = yield* openBank()
      const order = yield* anOrder(company, { dueInDays: 3 })
      yield* processor.register(order)
      const booked = bookedCharge(psp, order)
      expect(order.txid).toBe(txidOf(company.cnpj, order.id))
      expect(booked).toMatchObject({ revision: 0, status: "active", terms: { dueDate: order.dueDate } })
      expect(booked?.terms.body?.calendario).toEqual({
        dataDeVencimento: order.dueDate,
        validadeAposVencimento: company.graceDays,
      })
    }),
  )

  it.live("uses the bank's creation time if both clocks agree within a minute", () =>
    Effect.gen(function* () {
      const skewed = Date.now() - 50_000
      const { processor } = yield* openBank({ now: () => skewed })
      expect((yield* processor.register(yield* anOrder(company))).createdAt).toBe(skewed)
    }),
  )

  for (const minutes of [-180, -15, -2, 2, 15, 180]) {
    it.live(`gives a new charge the time of its order if the bank's clock is ${minutes} minutes ahead`, () =>
      Effect.gen(function* () {
        for (const options of [
          { ways: { creationAheadMs: minutes * 60_000 } },
          { now: () => Date.now() + minutes * 60_000 },
        ]) {
          const { processor } = yield* openBank(options)
          const order = yield* anOrder(company)
          expect((yield* processor.register(order)).createdAt).toBe(order.requestedAt)
        }
      }),
    )
  }

  for (const minutes of [-180, -15, 15, 180]) {
    it.live(`gives an existing charge the time of its order if the bank's clock is ${minutes} minutes ahead`, () =>
      Effect.gen(function* () {
        const { psp, processor } = yield* openBank({ ways: { creationAheadMs: minutes * 60_000 } })
        const order = yield* anOrder(company)
        const { createdAt } = yield* processor.register(order)
        // The bank writes whole seconds, and an answer takes time on this machine.
        const withinMs = 2_000 + (Date.now() - order.requestedAt)
        expect(
          (yield* processor.register({ ...order, requestedAt: order.requestedAt + 30_000 })).createdAt,
        ).toBeLessThan(createdAt + withinMs)
        expect((yield* processor.register(order)).createdAt).toBeGreaterThan(createdAt - withinMs)
        expect(bankCalls(psp)).toEqual(["GET", "PUT", "GET", "GET"])
      }),
    )
  }

  for (const minutes of [-15, 15]) {
    it.live(`corrects the time of another process's charge if the bank's clock is ${minutes} minutes ahead`, () =>
      Effect.gen(function* () {
        const { psp, processor } = yield* openBank({ now: () => Date.now() + minutes * 60_000 })
        const order = yield* anOrder(company)
        yield* processor.register(order)
        // This processor has made no charge, so it hasn't learned how the bank writes creation times.
        const another = yield* anotherProcessor(psp)
        const { createdAt } = yield* another.register(order)
        expect(Math.abs(createdAt - order.requestedAt)).toBeLessThan(5_000)
      }),
    )
  }

  it.live("looks up an existing charge before the PUT if a second PUT alters charges", () =>
    Effect.gen(function* () {
      const { psp, processor } = yield* openBank()
      const order = yield* anOrder(company)
      yield* processor.register(order)
      const other = { ...order, amountCents: 1 as Cents }
      expect((yield* Effect.flip(processor.register(other)))._tag).toBe("ChargeConflict")
      expect(bankCalls(psp)).toEqual(["GET", "PUT", "GET"])
      expect(bookedCharge(psp, order)).toMatchObject({ revision: 0, terms: { amountCents: 1990 } })
    }),
  )

  it.live("makes a charge in one call if the bank refuses a second PUT, and looks it up only after a refusal", () =>
    Effect.gen(function* () {
      const { psp, processor } = yield* openBank({ ways: { putOnExisting: "refuses" } }, refusing)
      const order = yield* anOrder(company)
      const first = yield* processor.register(order)
      expect(bankCalls(psp)).toEqual(["PUT"])
      expect(yield* processor.register(order)).toEqual(first)
      const conflict = yield* Effect.flip(processor.register({ ...order, amountCents: 1 as Cents }))
      expect(conflict._tag).toBe("ChargeConflict")
    }),
  )

  it.live("reports a conflict if a charge of the other kind has the txid", () =>
    Effect.gen(function* () {
      const { processor } = yield* openBank()
      const order = yield* anOrder(company)
      yield* processor.register(order)
      const { dueDate } = yield* anOrder(company, { dueInDays: 1 })
      const dated = { ...order, payer: aPayer, ...(dueDate && { dueDate }) }
      expect((yield* Effect.flip(processor.register(dated)))._tag).toBe("ChargeConflict")
    }),
  )

  it.live("registers the first of two concurrent orders with the same id, and reports a conflict for the second", () =>
    Effect.gen(function* () {
      const { psp, processor } = yield* openBank()
      const order = yield* anOrder(company)
      const other = { ...order, amountCents: 77 as Cents }
      const [one, two] = yield* Effect.all(
        [Effect.result(processor.register(order)), Effect.result(processor.register(other))],
        { concurrency: "unbounded" },
      )
      expect(Result.isSuccess(one) && Result.isFailure(two) && two.failure._tag).toBe("ChargeConflict")
      expect(bookedCharge(psp, order)).toMatchObject({ revision: 0, terms: { amountCents: 1990 } })
    }),
  )

  for (const ways of [{}, { putOnExisting: "refuses" }] as const) {
    const how = "putOnExisting" in ways ? " (a second put is refused)" : ""
    const opened = () => openBank({ ways }, "putOnExisting" in ways ? refusing : {})

    it.live(`reports a conflict for another validity, and changes the validity${how}`, () =>
      Effect.gen(function* () {
        const { psp, processor } = yield* opened()
        const order = yield* anOrder(company, { payableForSeconds: 3600 })
        const first = yield* processor.register(order)
        expect(yield* processor.register(order)).toEqual(first)
        const { payableForSeconds: _, ...byDefault } = order
        for (const other of [byDefault, { ...order, payableForSeconds: 3601 }] as ReadonlyArray<ChargeOrder>) {
          expect((yield* Effect.flip(processor.register(other)))._tag).toBe("ChargeConflict")
          expect(bookedCharge(psp, order)?.terms.body?.calendario).toEqual({ expiracao: 3600 })
          expect((yield* processor.change(other)).brCode).toBe(first.brCode)
          expect(bookedCharge(psp, order)?.terms.body?.calendario).toEqual({
            expiracao: other.payableForSeconds ?? 600,
          })
          const view = yield* processor.lookup(registeredPending(other, first))
          expect(view.terms).toMatchObject({ amountCents: 1990, payableForSeconds: other.payableForSeconds ?? 600 })
          yield* processor.change(order)
        }
      }),
    )

    it.live(`reports a conflict for another text, and changes the texts${how}`, () =>
      Effect.gen(function* () {
        const { psp, processor } = yield* opened()
        for (const dueInDays of [undefined, 3]) {
          const texts = { messageToPayer: "Pedido nº 7", additionalInfo: [{ name: "Mesa", value: "12" }] }
          const order = yield* anOrder(company, { ...texts, ...(dueInDays !== undefined && { dueInDays }) })
          const first = yield* processor.register(order)
          const body = { solicitacaoPagador: "Pedido nº 7", infoAdicionais: [{ nome: "Mesa", valor: "12" }] }
          expect(bookedCharge(psp, order)?.terms.body).toMatchObject(body)
          expect(yield* processor.register(order)).toEqual(first)
          for (const change of [
            { messageToPayer: "Pedido nº 8" },
            { additionalInfo: [{ name: "Mesa", value: "13" }] },
            { additionalInfo: [...texts.additionalInfo, { name: "Taxa", value: "1" }] },
          ]) {
            const other = { ...order, ...change }
            expect((yield* Effect.flip(processor.register(other)))._tag).toBe("ChargeConflict")
            expect((yield* processor.change(other)).brCode).toBe(first.brCode)
            const { messageToPayer, additionalInfo }: ChargeOrder = other
            expect(bookedCharge(psp, order)?.terms.body).toMatchObject({
              solicitacaoPagador: messageToPayer,
              infoAdicionais: additionalInfo?.map(({ name, value }) => ({ nome: name, valor: value })),
            })
            yield* processor.change(order)
            expect(bookedCharge(psp, order)?.terms.body).toMatchObject(body)
          }
        }
      }),
    )
  }

  it.live("adopts a charge whose texts the bank rewrites or hides", () =>
    Effect.gen(function* () {
      const { psp, processor } = yield* openBank()
      const order = yield* anOrder(company, {
        messageToPayer: "Pão & café, 7",
        additionalInfo: [{ name: "Garçom", value: "Zé" }],
      })
      const first = yield* processor.register(order)
      const booked = bookedCharge(psp, order)
      if (booked === undefined) throw new Error("expected a charge in the books")
      const shown = [
        { solicitacaoPagador: "PAO  CAFE 7", infoAdicionais: [{ nome: "GARCOM", valor: "ZE" }] },
        { solicitacaoPagador: "", infoAdicionais: [] },
        { solicitacaoPagador: undefined, infoAdicionais: undefined },
      ]
      for (const texts of shown) {
        Object.assign(booked.terms.body ?? {}, texts)
        expect(yield* processor.register(order)).toEqual(first)
      }
    }),
  )

  it.live("adopts a charge with texts for an order without texts, like an order of the HTTP contract", () =>
    Effect.gen(function* () {
      const { psp, processor } = yield* openBank()
      const { messageToPayer, additionalInfo, ...order } = yield* anOrder(company, {
        messageToPayer: "Pedido 7",
        additionalInfo: [{ name: "Mesa", value: "12" }],
      })
      const first = yield* processor.register({
        ...order,
        ...(messageToPayer !== undefined && { messageToPayer }),
        ...(additionalInfo && { additionalInfo }),
      })
      expect(yield* processor.register(order)).toEqual(first)
      yield* processor.change(order)
      expect(bookedCharge(psp, order)?.terms.body).not.toHaveProperty("solicitacaoPagador")
    }),
  )

  it.live("makes one charge in two calls for forty equal concurrent orders", () =>
    Effect.gen(function* () {
      const { psp, processor } = yield* openBank()
      const order = yield* anOrder(company)
      const all = yield* Effect.forEach(Array.from({ length: 40 }), () => processor.register(order), {
        concurrency: "unbounded",
      })
      expect(new Set(all.map(({ brCode }) => brCode)).size).toBe(1)
      expect(bankCalls(psp)).toEqual(["GET", "PUT"])
    }),
  )

  for (const fault of [
    { _tag: "HangsAfter" },
    { _tag: "AnswerLost" },
    { _tag: "Status", status: 504, applied: true },
  ] as const) {
    it.live(`adopts the charge of an unanswered PUT (${fault._tag}) on a retry`, () =>
      Effect.gen(function* () {
        const { psp, processor } = yield* openBank()
        const first = fault._tag === "HangsAfter" ? yield* impatientProcessor(psp) : processor
        const order = yield* anOrder(company, { dueInDays: 2 })
        const end = psp.faults.add(fault, isPut)
        expect((yield* Effect.flip(first.register(order)))._tag).toBe("ProcessorUnavailable")
        end()
        const booked = bookedCharge(psp, order)
        expect((yield* processor.register(order)).createdAt).toBe(booked?.createdAt)
        expect(bookedCharge(psp, order)).toBe(booked)
        expect(psp.ledger.charges.size).toBe(1)
      }),
    )
  }

  it.live("retries a PUT that failed before it was executed, within the same call", () =>
    Effect.gen(function* () {
      const { psp, processor } = yield* openBank()
      psp.faults.add({ _tag: "RequestLost" }, isPut, 1)
      psp.faults.add({ _tag: "Status", status: 503 }, isPut, 1)
      yield* processor.register(yield* anOrder(company))
      expect(psp.ledger.charges.size).toBe(1)
    }),
  )

  it.live("fails with the bank's reason if the bank refuses the charge", () =>
    Effect.gen(function* () {
      const { processor } = yield* openBank()
      const order = yield* anOrder({ ...company, pixKey: "not-theirs@example.com" })
      expect(yield* Effect.flip(processor.register(order))).toMatchObject({
        _tag: "ProcessorRejected",
        operation: "register",
        reason: saying("cob.chave"),
      })
    }),
  )

  it.live("rejects a due-date charge without a call if the bank has no due-date charges", () =>
    Effect.gen(function* () {
      const { psp, processor } = yield* openBank({}, { profile: { ...standardProfile, dueDateCharges: "missing" } })
      expect(yield* Effect.flip(processor.register(yield* anOrder(company, { dueInDays: 1 })))).toMatchObject({
        _tag: "ProcessorRejected",
        reason: saying("this bank has no due-date charges: issue an immediate one"),
      })
      expect(psp.exchanges).toEqual([])
    }),
  )

  it.live("doesn't hand out a charge that the bank removed", () =>
    Effect.gen(function* () {
      const { psp, processor } = yield* openBank()
      const order = yield* anOrder(company)
      yield* processor.register(order)
      psp.remove(company.cnpj, order.txid)
      expect(yield* Effect.flip(processor.register(order))).toMatchObject({
        _tag: "ProcessorRejected",
        reason: saying("the charge was removed at the bank"),
      })
    }),
  )
})

it.live("two orders share a call only if all of their terms are equal", () =>
  Effect.gen(function* () {
    const order = yield* anOrder(company)
    const { dueDate = "" } = yield* anOrder(company, { dueInDays: 1 })
    const due = { dueDate, payer: aPayer }
    const fees = Result.getOrThrow(parseFees({ fine: { kind: "fixed", amountCents: 1 } }))
    const others = [
      { amountCents: 1 },
      { dueDate },
      { payer: aPayer },
      due,
      { ...due, payer: { ...aPayer, email: "joana@example.com" } },
      { ...due, company: { ...company, fees } },
      { ...due, company: { ...company, graceDays: 1 } },
      { payableForSeconds: 601 },
      { messageToPayer: "Pedido 7" },
      { additionalInfo: [{ name: "Mesa", value: "12" }] },
    ].map((change) => orderMeaning({ ...order, ...change } as ChargeOrder))
    expect(new Set([orderMeaning(order), ...others]).size).toBe(11)
    expect(orderMeaning({ ...order, payableForSeconds: 600 })).toBe(orderMeaning(order))
  }),
)

describe("a refused charge that the bank doesn't show", () => {
  const missing = [404, { title: "CobNaoEncontrado" }] as const
  const answering = (...puts: ReadonlyArray<number>) => {
    const statuses = [...puts]
    return openAnsweringBank((call) => (call.startsWith("PUT") ? [statuses.shift() ?? 400, { title: "No" }] : missing))
  }
  const tagAt = Effect.fnUntraced(function* (...puts: ReadonlyArray<number>) {
    const { processor } = yield* answering(...puts)
    return (yield* Effect.flip(processor.register(yield* anOrder(company))))._tag
  })

  it.live("is rejected with the bank's refusal", () =>
    Effect.gen(function* () {
      expect(yield* tagAt(400)).toBe("ProcessorRejected")
    }),
  )

  it.live("counts as unavailable if another call or an unanswered attempt can still make it", () =>
    Effect.gen(function* () {
      expect(yield* tagAt(409)).toBe("ProcessorUnavailable")
      expect(yield* tagAt(503, 400)).toBe("ProcessorUnavailable")
    }),
  )
})

describe("the payer at a bank (decision 28)", () => {
  const generic = { ...company, genericPayer: { name: "Consumidor", taxId: aPayer.taxId } }
  it.live("is the company's generic payer for a due-date charge without a payer", () =>
    Effect.gen(function* () {
      const { psp, processor } = yield* openBank()
      const order = { ...(yield* anOrder(generic, { dueInDays: 1 })), payer: generic.genericPayer }
      yield* processor.register(order)
      expect(bookedPayer(psp, order)).toEqual({ cpf: aPayer.taxId, nome: "Consumidor" })
    }),
  )

  it.live("is required for a due-date charge, and the error mentions the generic payer", () =>
    Effect.gen(function* () {
      const { psp, processor } = yield* openBank()
      const { payer: _, ...order } = yield* anOrder(company, { dueInDays: 1 })
      expect(yield* Effect.flip(processor.register(order))).toMatchObject({
        _tag: "ProcessorRejected",
        reason: saying("generic"),
      })
      expect(psp.ledger.charges.size).toBe(0)
    }),
  )

  it.live("is never the generic payer for an immediate charge", () =>
    Effect.gen(function* () {
      const { psp, processor } = yield* openBank()
      const order = { ...(yield* anOrder(generic)), payer: generic.genericPayer }
      const first = yield* processor.register(order)
      expect(bookedPayer(psp, order)).toBeUndefined()
      expect(yield* processor.register(order)).toEqual(first)
      for (const payer of [
        { name: "Maria", taxId: aPayer.taxId },
        { name: "Consumidor", taxId: Result.getOrThrow(parseTaxId("12ABC34501DE35")) },
      ]) {
        const named = { ...(yield* anOrder(generic)), payer }
        yield* processor.register(named)
        expect(bookedPayer(psp, named)).toMatchObject({ nome: payer.name })
      }
    }),
  )

  it.live("can be hidden by a bank without a conflict", () =>
    Effect.gen(function* () {
      const { processor } = yield* openBank({ ways: { payersInCharges: false } })
      const addressed = { ...(yield* anOrder(company)), payer: aPayer }
      yield* processor.register(addressed)
      const dated = yield* anOrder(company, { dueInDays: 1 })
      const first = yield* processor.register(dated)
      expect(yield* processor.register(dated)).toEqual(first)
    }),
  )

  it.live("is sent for an immediate charge, with letters in the CNPJ", () =>
    Effect.gen(function* () {
      const { psp, processor } = yield* openBank()
      const payer = { name: "Loja", taxId: Result.getOrThrow(parseTaxId("12ABC34501DE35")) }
      const order = { ...(yield* anOrder(company)), payer }
      yield* processor.register(order)
      expect(bookedPayer(psp, order)).toEqual({ cnpj: "12ABC34501DE35", nome: "Loja" })
    }),
  )
})

const registerAt = (code: BankWays["code"]) =>
  Effect.gen(function* () {
    const { psp, processor } = yield* openBank({ ways: { code } })
    const order = yield* anOrder(company)
    return { psp, order, registered: yield* Effect.result(processor.register(order)) }
  })

describe("the code of a bank", () => {
  it.live("is handed out unchanged", () =>
    Effect.gen(function* () {
      const { psp, registered } = yield* registerAt("given")
      const answer = psp.exchanges.at(-1)?.answer as { readonly pixCopiaECola: string }
      expect(Result.getOrThrow(registered).brCode).toBe(answer.pixCopiaECola)
    }),
  )

  it.live("is made from the charge's location if the bank shows no code", () =>
    Effect.gen(function* () {
      const { psp, order, registered } = yield* registerAt("locationOnly")
      const { brCode } = Result.getOrThrow(registered)
      expect(Result.getOrThrow(decodeBrCode(brCode)).code).toMatchObject({
        _tag: "Dynamic",
        url: bookedCharge(psp, order)?.location,
        merchantName: "Padaria Aurora Ltda",
        merchantCity: "Sao Paulo",
      })
    }),
  )

  for (const [code, why] of [
    ["broken", "breaks a rule"],
    ["static", "not dynamic"],
    ["ofAnother", "points elsewhere"],
    ["nothing", "neither a code nor a location"],
  ] as const) {
    it.live(`isn't handed out if it is ${code}`, () =>
      Effect.gen(function* () {
        const { registered } = yield* registerAt(code)
        expect(Result.isFailure(registered) && registered.failure).toMatchObject({
          _tag: "ProcessorRejected",
          reason: saying(why),
        })
      }),
    )
  }
})

describe("looking up a charge at a bank", () => {
  it.live("finds the payment in the list if the paid charge doesn't show it", () =>
    Effect.gen(function* () {
      const { psp, processor } = yield* openBank({ ways: { paymentsInCharges: false } })
      const order = yield* anOrder(company)
      const charge = registeredPending(order, yield* processor.register(order))
      const { endToEndId } = psp.pay(company.cnpj, order.txid)
      const view = yield* processor.lookup(charge)
      expect(view).toMatchObject({ status: "completed", payments: [{ endToEndId, txid: order.txid }] })
    }),
  )

  it.live("starts the list at the bank's creation time if the books have a later one", () =>
    Effect.gen(function* () {
      vi.useFakeTimers({ toFake: ["Date"] })
      onTestFinished(() => void vi.useRealTimers())
      const { psp, processor } = yield* openBank({ ways: { paymentsInCharges: false } })
      const order = yield* anOrder(company)
      const charge = registeredPending(order, yield* processor.register(order))
      const { endToEndId } = psp.pay(company.cnpj, order.txid)
      vi.setSystemTime(Date.now() + 600_000)
      const view = yield* processor.lookup({ ...charge, createdAt: Date.now() })
      expect(view).toMatchObject({ status: "completed", payments: [{ endToEndId, txid: order.txid }] })
    }),
  )

  for (const minutes of [2, 30, 180]) {
    it.live(
      `starts the list early enough after a restart if the bank's creation times are ${minutes} minutes ahead`,
      () =>
        Effect.gen(function* () {
          vi.useFakeTimers({ toFake: ["Date"] })
          onTestFinished(() => void vi.useRealTimers())
          const ways = { paymentsInCharges: false, creationAheadMs: minutes * 60_000 }
          const { psp, processor } = yield* openBank({ ways })
          const order = yield* anOrder(company)
          const charge = registeredPending(order, yield* processor.register(order))
          const { endToEndId } = psp.pay(company.cnpj, order.txid)
          vi.setSystemTime(Date.now() + 6 * 3_600_000)
          const restarted = yield* anotherProcessor(psp)
          const view = yield* restarted.lookup({ ...charge, createdAt: Date.now() })
          expect(view).toMatchObject({ status: "completed", payments: [{ endToEndId }] })
        }),
    )
  }

  it.live("returns every payment of the charge with its own amount", () =>
    Effect.gen(function* () {
      const { psp, processor } = yield* openBank()
      const order = yield* anOrder(company)
      const charge = registeredPending(order, yield* processor.register(order))
      psp.pay(company.cnpj, order.txid)
      psp.pay(company.cnpj, order.txid, { amountCents: 5 })
      const { payments } = yield* processor.lookup(charge)
      expect(payments.map(({ amountCents }) => amountCents)).toEqual([1990, 5])
    }),
  )
})
