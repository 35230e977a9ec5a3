import { Bookkeeping, ChargeLists, ChargeStore, PaymentProcessor, PixCharges, type Reconciler } from "@pixcharge/core"
import {
  chargeTxid,
  type PaidCharge,
  payableForSeconds,
  type Payment,
  type PaymentNotice,
  type Txid,
  type ChargeRequestInput,
} from "@pixcharge/core/charges"
import {
  aChargeId,
  aCnpj,
  aCompany,
  anotherCnpj,
  aNotice,
  aPendingCharge,
  aRefundId,
  aReturn,
  cents,
  cnpj,
  fixtureNow,
} from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import {
  anIssuedCharge,
  aPaidOne,
  aReconciler,
  anIdleReconciler,
  aRequest,
  registerCompany,
  deliveries,
  exceptions,
  issue,
  otherCompany,
  scenario,
  failureTag,
  addEndpoint,
  type World,
} from "../World.ts"

const day = 86_400_000
const always = { from: 0, until: fixtureNow * 2 }

const find = ({ issuer, id }: Pick<PaidCharge, "issuer" | "id">) =>
  Effect.flatMap(PixCharges, (charges) => charges.find(issuer, id))

const payments = (issuer = aCnpj) =>
  Effect.flatMap(ChargeLists, (lists) =>
    Effect.map(lists.payments(issuer, always, { limit: 1000 }), ({ items }) => items),
  )

const returns = Effect.flatMap(ChargeLists, (lists) =>
  Effect.map(lists.returns(aCnpj, always, { limit: 1000 }), ({ items }) => items),
)

const endToEndIds = (rows: ReadonlyArray<Pick<Payment, "endToEndId">>) =>
  rows.map(({ endToEndId }) => endToEndId).toSorted()

const aDay = Effect.fnUntraced(function* (round: Reconciler["Service"]["round"]) {
  yield* TestClock.adjust("1 day")
  yield* TestClock.adjust("1 minute")
  yield* Effect.repeat(round, { while: ({ more }) => more })
})

const listings = ({ bank }: World) => bank.calls.filter((call) => call === "payments").length

describe("the daily reconciliation", () => {
  scenario("continues with the remaining companies in the next round", (world) =>
    Effect.gen(function* () {
      const store = yield* ChargeStore
      for (let index = 0; index < 17; index++) {
        yield* store.insert(aPendingCharge({ issuer: `${index}`.padStart(14, "0") as typeof aCnpj }))
      }
      const { round } = yield* anIdleReconciler
      expect((yield* round).more).toBe(true)
      expect((yield* round).more).toBe(false)
      expect(listings(world)).toBe(17)
    }),
  )

  scenario("finds a paid charge's second payment and its dispute without a notice", (world) =>
    Effect.gen(function* () {
      addEndpoint(world, "loja", "refunded")
      const { round } = yield* anIdleReconciler
      const [twice, disputed] = [yield* aPaidOne(world), yield* aPaidOne(world)]
      const second = aNotice(twice, { paidAt: fixtureNow + 5 })
      world.bank.receive(twice, second)
      const back = aReturn(disputed.payment, { kind: "dispute" })
      world.bank.returnMoney(disputed, back)
      yield* aDay(round)
      expect(endToEndIds((yield* exceptions).map(({ payment }) => payment))).toEqual([second.endToEndId])
      expect(yield* find(disputed)).toMatchObject({ _tag: "Refunded", returns: [back] })
      expect(yield* deliveries).toEqual(["loja refunded waiting"])
    }),
  )

  scenario("finds returns of a payment of three months ago and of an exception", (world) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(fixtureNow - 85 * day)
      const charge = yield* aPaidOne(world)
      const second = aNotice(charge, { paidAt: charge.payment.paidAt + 1 })
      world.bank.receive(charge, second)
      for (const daysAgo of [85, 40]) {
        yield* TestClock.setTime(fixtureNow - daysAgo * day)
        yield* Effect.scoped(Effect.flatMap(anIdleReconciler, ({ round }) => aDay(round)))
      }
      yield* TestClock.setTime(fixtureNow)
      const { round } = yield* anIdleReconciler
      const rows = [
        aReturn(charge.payment, { id: "D1", kind: "outside" }),
        aReturn({ ...charge.payment, ...second }, { id: "D2" }),
      ]
      for (const row of rows) world.bank.returnMoney(charge, row)
      yield* aDay(round)
      expect((yield* find(charge))._tag).toBe("Refunded")
      expect((yield* returns).map(({ id }) => id).toSorted()).toEqual(["D1", "D2"])
      expect(yield* exceptions).toEqual([])
    }),
  )

  scenario("records pages of payments without a charge, each once", (world) =>
    Effect.gen(function* () {
      const { round } = yield* anIdleReconciler
      const known = yield* aPaidOne(world)
      const strangers = Array.from({ length: 10 }, (_, index) => aNotice(known, { paidAt: fixtureNow + index }))
      for (const { txid: _, ...stranger } of strangers) {
        world.bank.receive({ issuer: aCnpj, txid: chargeTxid(aCnpj, aChargeId()) }, stranger)
      }
      for (let days = 0; days < 3; days++) yield* aDay(round)
      expect(endToEndIds(yield* payments())).toEqual(endToEndIds([known.payment, ...strangers]))
      expect(yield* exceptions).toHaveLength(10)
    }),
  )

  scenario("lists a company's payments once a day, from its first charge on", (world) =>
    Effect.gen(function* () {
      const { round } = yield* anIdleReconciler
      const foreignEntry = { issuer: aCnpj, txid: chargeTxid(aCnpj, aChargeId()) }
      const before = {
        issuer: aCnpj,
        endToEndId: "E0".padEnd(32, "0"),
        amountCents: cents(5),
        paidAt: fixtureNow - day,
      }
      world.bank.receive(foreignEntry, before)
      yield* round
      expect(listings(world)).toBe(0)
      yield* aPaidOne(world)
      yield* TestClock.adjust("1 hour")
      yield* round
      expect(listings(world)).toBe(1)
      for (let hours = 0; hours < 20; hours++) {
        yield* TestClock.adjust("1 hour")
        yield* round
      }
      expect(listings(world)).toBe(1)
      expect(yield* exceptions).toEqual([])
    }),
  )

  scenario("runs by itself while its layer lives", (world) =>
    Effect.gen(function* () {
      yield* aReconciler
      const charge = yield* aPaidOne(world)
      world.bank.receive(charge, aNotice(charge))
      yield* TestClock.adjust("2 days")
      expect(yield* exceptions).toHaveLength(1)
    }),
  )

  scenario("continues at the page where a bank fell silent, at the bank's pace", (world) =>
    Effect.gen(function* () {
      const { round } = yield* anIdleReconciler
      const charge = yield* aPaidOne(world)
      for (let index = 1; index <= 7; index++)
        world.bank.receive(charge, aNotice(charge, { paidAt: fixtureNow + index }))
      yield* TestClock.adjust("59 minutes")
      world.bank.fail("payments", "unreachable", "defect")
      yield* round
      const before = listings(world)
      yield* round
      expect(listings(world)).toBe(before)
      for (let minutes = 0; minutes < 5; minutes++) {
        yield* TestClock.adjust("1 minute")
        yield* round
      }
      expect(yield* exceptions).toHaveLength(7)
    }),
  )

  scenario("lists a company's payments in one process at a time", (world) =>
    Effect.gen(function* () {
      const [one, other] = [yield* anIdleReconciler, yield* anIdleReconciler]
      yield* aPaidOne(world)
      yield* TestClock.adjust("9 seconds")
      yield* Effect.all([one.round, other.round], { concurrency: "unbounded" })
      expect(listings(world)).toBe(1)
    }),
  )

  scenario(
    "records the other payments of a page after a failed payment, and records the failed payment later",
    (world) =>
      Effect.gen(function* () {
        const { round } = yield* anIdleReconciler
        const charge = yield* aPaidOne(world)
        const further = [1, 2].map((at) => aNotice(charge, { paidAt: fixtureNow + at }))
        for (const notice of further) world.bank.receive(charge, notice)
        yield* TestClock.adjust("9 seconds")
        world.storeFaults.set("commit", "unreachable")
        yield* round
        expect(yield* exceptions).toHaveLength(1)
        yield* TestClock.adjust("2 minutes")
        yield* round
        expect(yield* exceptions).toHaveLength(2)
      }),
  )

  scenario("records a failed payment later, even if the bank falls silent during the run", (world) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(fixtureNow - 10 * day)
      const charge = yield* aPaidOne(world)
      const from = charge.payment.paidAt
      for (let index = 1; index <= 6; index++) world.bank.receive(charge, aNotice(charge, { paidAt: from + index }))
      yield* TestClock.setTime(fixtureNow)
      const { round } = yield* anIdleReconciler
      world.storeFaults.set("commit", "unreachable")
      // The first page has a payment that can't be recorded; the second gets no answer.
      const { payments: list } = yield* PaymentProcessor
      expect((yield* list(aCnpj, always)).cursor).toBeDefined()
      world.bank.fail("payments", "passes", "unreachable")
      yield* round
      for (let hours = 0; hours < 5; hours++) {
        yield* TestClock.adjust("1 hour")
        yield* round
      }
      expect(yield* exceptions).toHaveLength(6)
    }),
  )

  scenario("skips a payment that couldn't be recorded for a week", (world) =>
    Effect.gen(function* () {
      const { round } = yield* anIdleReconciler
      const charge = yield* aPaidOne(world)
      world.bank.receive(charge, aNotice(charge, { amountCents: cents(0.5) }))
      for (let days = 0; days < 9; days++) yield* aDay(round)
      const before = listings(world)
      yield* aDay(round)
      expect(listings(world) - before).toBeLessThan(4)
    }),
  )

  scenario("records the readable payments, and lists again while a payment was unreadable", (world) =>
    Effect.gen(function* () {
      const { round } = yield* anIdleReconciler
      const charge = yield* aPaidOne(world)
      const [early, late] = [1, 2].map((at) => aNotice(charge, { paidAt: fixtureNow + at })) as [
        PaymentNotice,
        PaymentNotice,
      ]
      world.bank.receive(charge, early)
      world.bank.garble(1)
      yield* TestClock.adjust("9 seconds")
      yield* round
      expect(endToEndIds((yield* exceptions).map(({ payment }) => payment))).toEqual([early.endToEndId])
      const before = listings(world)
      // `late` was the unreadable payment. The bank now lists it correctly.
      world.bank.receive(charge, late)
      world.bank.garble(0)
      yield* TestClock.adjust("2 minutes")
      yield* round
      expect(listings(world)).toBeGreaterThan(before)
      expect(yield* exceptions).toHaveLength(2)
    }),
  )

  scenario("repeats a comparison made while the clock ran ahead", (world) =>
    Effect.gen(function* () {
      const charge = yield* aPaidOne(world)
      yield* TestClock.setTime(fixtureNow + 400 * day)
      yield* Effect.scoped(Effect.flatMap(anIdleReconciler, ({ round }) => round))
      yield* TestClock.setTime(fixtureNow + 2 * day)
      const { round } = yield* anIdleReconciler
      world.bank.receive(charge, aNotice(charge, { paidAt: fixtureNow + 2 * day }))
      yield* aDay(round)
      expect(yield* exceptions).toHaveLength(1)
    }),
  )

  scenario("records a payment for the company that its txid names, even if another company now has the key", (world) =>
    Effect.gen(function* () {
      const { round } = yield* anIdleReconciler
      const [issued, paid] = [yield* anIssuedCharge(), yield* aPaidOne(world)]
      const notices = [issued, paid].map((charge) => aNotice(charge, { paidAt: fixtureNow + 5 }))
      for (const notice of notices) {
        const txid = String(notice.txid)
        world.bank.receive(
          { issuer: aCnpj, txid: txid as Txid },
          { ...notice, txid: txid.toUpperCase(), pixKey: otherCompany.pixKey },
        )
      }
      yield* aDay(round)
      expect(yield* find(issued)).toMatchObject({ _tag: "Paid" })
      expect(endToEndIds(yield* payments())).toEqual(endToEndIds([paid.payment, ...notices]))
      expect(yield* payments(anotherCnpj)).toEqual([])
    }),
  )

  scenario("records a payment for the company whose key received it, in a shared account", (world) =>
    Effect.gen(function* () {
      const { round } = yield* anIdleReconciler
      const charge = yield* aPaidOne(world)
      const { txid: _, ...notice } = aNotice(charge)
      world.bank.receive(
        { issuer: aCnpj, txid: chargeTxid(aCnpj, aChargeId()) },
        { ...notice, pixKey: otherCompany.pixKey },
      )
      yield* aDay(round)
      expect(endToEndIds(yield* payments(anotherCnpj))).toEqual([notice.endToEndId])
      expect(yield* exceptions).toEqual([])
    }),
  )
})

describe("Reconciler.reconcile", () => {
  const reconcile = (period = always) => Effect.flatMap(anIdleReconciler, (one) => one.reconcile(aCnpj, period))

  scenario("records missing payments and returns, and counts them", (world) =>
    Effect.gen(function* () {
      const [issued, paid] = [yield* anIssuedCharge(), yield* aPaidOne(world)]
      const notices = [1, 2].map((at) => aNotice(issued, { paidAt: fixtureNow + at }))
      for (const notice of notices) world.bank.receive(issued, notice)
      world.bank.returnMoney(paid, aReturn(paid.payment, { kind: "refund", id: aRefundId(paid.payment) }))
      expect(yield* reconcile()).toEqual({ listed: 3, payments: 2, returns: 1 })
      expect(yield* find(issued)).toMatchObject({ _tag: "Paid", payment: { endToEndId: notices[0]?.endToEndId } })
      expect(yield* find(paid)).toMatchObject({ _tag: "Refunded" })
      expect(yield* reconcile()).toEqual({ listed: 3, payments: 0, returns: 0 })
    }),
  )

  scenario("lists only the requested period, retries a busy bank, and gives up a silent bank", (world) =>
    Effect.gen(function* () {
      const charge = yield* aPaidOne(world)
      for (let index = 1; index <= 3; index++)
        world.bank.receive(charge, aNotice(charge, { paidAt: fixtureNow + index * day }))
      const period = { from: fixtureNow + day, until: fixtureNow + 3 * day }
      world.bank.fail("payments", "unreachable", "unreachable")
      const reconciling = yield* Effect.forkChild(reconcile(period), { startImmediately: true })
      const counts = []
      for (const ms of [999, 1, 1_999, 1]) {
        yield* TestClock.adjust(ms)
        counts.push(listings(world))
      }
      expect(counts).toEqual([1, 2, 2, 3])
      expect(yield* Fiber.join(reconciling)).toMatchObject({ listed: 2, payments: 2 })
      world.bank.fail("payments", ...Array.from({ length: 5 }, () => "unreachable" as const))
      const silent = yield* Effect.forkChild(failureTag(reconcile()), { startImmediately: true })
      yield* TestClock.adjust("1 minute")
      expect(yield* Fiber.join(silent)).toBe("ProcessorUnavailable")
    }),
  )

  scenario("gives up a page without an answer within a minute", (world) =>
    Effect.gen(function* () {
      yield* aPaidOne(world)
      world.bank.fail("payments", ...Array.from({ length: 20 }, () => "silent" as const))
      const silent = yield* Effect.forkChild(Effect.flip(reconcile()), { startImmediately: true })
      // Five requests of a minute each, and pauses of 1, 2, 4 and 8 s.
      yield* TestClock.adjust(5 * 60_000 + 15_000 - 1)
      expect(silent.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust(1)
      const error = { _tag: "ProcessorUnavailable", operation: "payments", cause: "no answer within 60000 ms" }
      expect(yield* Fiber.join(silent)).toMatchObject(error)
    }),
  )

  scenario("refuses an unknown company", () =>
    Effect.gen(function* () {
      const { reconcile: anybody } = yield* aReconciler
      expect(yield* failureTag(anybody("11444777000161" as typeof aCnpj, always))).toBe("CompanyNotFound")
    }),
  )

  scenario("fails while a payment can't be read, but records the readable payments", (world) =>
    Effect.gen(function* () {
      const charge = yield* aPaidOne(world)
      for (let index = 1; index <= 4; index++)
        world.bank.receive(charge, aNotice(charge, { paidAt: fixtureNow + index }))
      world.bank.garble(2)
      expect(yield* Effect.flip(reconcile())).toMatchObject({
        _tag: "ProcessorUnavailable",
        operation: "payments",
        // Two pages, each with two unreadable entries.
        cause: "4 of the payments and returns that are listed can't be read",
      })
      expect(yield* exceptions).toHaveLength(4)
      world.bank.garble(0)
      expect(yield* reconcile()).toEqual({ listed: 5, payments: 0, returns: 0 })
    }),
  )

  scenario("fails while a payment can't be recorded, and records it the next time", (world) =>
    Effect.gen(function* () {
      const charge = yield* aPaidOne(world)
      world.bank.receive(charge, aNotice(charge))
      world.storeFaults.set("commit", "unreachable")
      expect(yield* failureTag(reconcile())).toBe("StoreUnavailable")
      expect(yield* reconcile()).toMatchObject({ payments: 1 })
    }),
  )

  scenario(
    "finds the payment of a charge that a restored backup lacks, and settles the charge once it is issued again",
    (world) =>
      Effect.gen(function* () {
        const request = aRequest()
        const { register } = yield* PaymentProcessor
        const entry = { issuer: aCnpj, txid: chargeTxid(aCnpj, request.id) }
        // Before the restore, the charge was issued, and paid at the bank.
        yield* register({
          ...request,
          company: aCompany({ cnpj: aCnpj }),
          txid: entry.txid,
          requestedAt: fixtureNow,
          payableUntil: fixtureNow,
        })
        const endToEndId = "E1".padEnd(32, "1")
        const notice = { ...entry, endToEndId, amountCents: request.amountCents, paidAt: fixtureNow + 9 }
        world.bank.receive(entry, notice)
        yield* TestClock.adjust("5 minutes")
        yield* reconcile()
        expect(yield* exceptions).toHaveLength(1)
        const issued = yield* issue(request)
        expect(issued).toMatchObject({ brCode: `code of ${entry.txid}`, createdAt: fixtureNow })
        const { round } = yield* aReconciler
        yield* round
        expect(yield* find(issued)).toMatchObject({ _tag: "Paid", payment: { endToEndId: notice.endToEndId } })
        expect(yield* exceptions).toEqual([])
      }),
  )
})

describe("the reconciler's look-up of a charge", () => {
  scenario("cancels a charge that was removed at the bank", (world) =>
    Effect.gen(function* () {
      const { round } = yield* aReconciler
      const request = aRequest({ dueDate: "2026-06-30" })
      const charges = yield* PixCharges
      const issued = yield* issue(request)
      world.storeFaults.set("commit", "nextUnreachable")
      expect(yield* failureTag(charges.cancel(aCnpj, issued.id))).toBe("StoreUnavailable")
      expect(world.bank.view(issued).status).toBe("removed")
      yield* TestClock.adjust("11 minutes")
      yield* round
      expect((yield* find(issued))._tag).toBe("Cancelled")
      expect(yield* failureTag(issue(request))).toBe("ChargeCancelled")
    }),
  )

  scenario("settles a charge that was paid during its removal", (world) =>
    Effect.gen(function* () {
      const { round } = yield* aReconciler
      const issued = yield* anIssuedCharge()
      const notice = aNotice(issued)
      world.bank.receive(issued, notice)
      Object.assign(world.bank.view(issued), { status: "removed" })
      yield* TestClock.adjust("11 minutes")
      yield* round
      expect(yield* find(issued)).toMatchObject({ _tag: "Paid" })
    }),
  )

  scenario("keeps the stored terms at the bank, whichever concurrent order the bank kept", (world) =>
    Effect.gen(function* () {
      world.bank.lastRegisterWins()
      const amounts = [1000, 2000, 3000]
      for (const first of amounts) {
        const order = [first, ...amounts.filter((one) => one !== first)]
        const one = crypto.randomUUID()
        const answers = yield* Effect.all(
          order.map((amountCents) => Effect.result(issue(aRequest({ id: one, amountCents })))),
          { concurrency: "unbounded" },
        )
        const [issued] = answers.flatMap((answer) => (answer._tag === "Success" ? [answer.success] : []))
        if (issued === undefined) throw new Error("expected one issued charge")
        expect(world.bank.view(issued).terms).toMatchObject({ amountCents: issued.amountCents })
        expect(answers.filter(({ _tag }) => _tag === "Failure")).toHaveLength(2)
      }
    }),
  )

  scenario("keeps the stored validity and texts at the bank, whichever concurrent order the bank kept", (world) =>
    Effect.gen(function* () {
      world.bank.lastRegisterWins()
      const wishes = [60, 120, 180].map((seconds) => ({
        payableForSeconds: seconds,
        messageToPayer: `${seconds} s`,
        additionalInfo: [{ name: "Validade", value: `${seconds} s` }],
      }))
      for (const first of wishes) {
        const order = [first, ...wishes.filter((one) => one !== first)]
        const one = crypto.randomUUID()
        const answers = yield* Effect.all(
          order.map((wish) => Effect.result(issue(aRequest({ id: one, ...wish })))),
          { concurrency: "unbounded" },
        )
        const [issued] = answers.flatMap((answer) => (answer._tag === "Success" ? [answer.success] : []))
        if (issued === undefined) throw new Error("expected one issued charge")
        const { messageToPayer, additionalInfo } = issued
        const kept = world.bank.orders.get(`${issued.issuer} ${issued.txid}`)
        expect(kept).toMatchObject({ messageToPayer, additionalInfo })
        expect(world.bank.view(issued).terms?.payableForSeconds).toBe(payableForSeconds(issued))
      }
    }),
  )

  scenario("puts a stored payer, text or number of days back at the bank after a concurrent order", (world) =>
    Effect.gen(function* () {
      world.bank.lastRegisterWins()
      const races: ReadonlyArray<ReadonlyArray<Partial<ChargeRequestInput>>> = [
        [{ messageToPayer: "um" }, { messageToPayer: "dois" }],
        [{ payer: { name: "Ana", taxId: "52998224725" } }, { payer: { name: "Rui", taxId: "11144477735" } }],
        [{ graceDays: 3 }, { graceDays: 9 }].map((one) => ({ dueDate: "2026-06-30", ...one })),
      ]
      for (const [first, second] of races.flatMap((race) => [race, race.toReversed()])) {
        const id = crypto.randomUUID()
        const answers = yield* Effect.all(
          [first, second].map((wish) => Effect.result(issue(aRequest({ id, ...wish })))),
          { concurrency: "unbounded" },
        )
        const [issued] = answers.flatMap((answer) => (answer._tag === "Success" ? [answer.success] : []))
        if (issued === undefined) throw new Error("expected one issued charge")
        const kept = world.bank.orders.get(`${issued.issuer} ${issued.txid}`)
        const { messageToPayer, payer, requested } = issued
        expect([kept?.messageToPayer, kept?.payer]).toEqual([messageToPayer, payer])
        if (requested !== undefined) expect(kept?.company.graceDays).toBe(requested.graceDays)
      }
    }),
  )

  scenario("keeps the stored terms at the bank if the losing call had no answer", (world) =>
    Effect.gen(function* () {
      world.bank.lastRegisterWins()
      const { round } = yield* aReconciler
      const id = crypto.randomUUID()
      world.bank.fail("register", "passes", "answerLost")
      const answers = yield* Effect.all(
        [1000, 2000].map((amountCents) => failureTag(issue(aRequest({ id, amountCents })))),
        { concurrency: "unbounded" },
      )
      expect(answers).toEqual(["none", "ChargeConflict"])
      yield* TestClock.adjust("11 minutes")
      yield* round
      const charge = yield* find({ issuer: aCnpj, id: aRequest({ id }).id })
      expect([charge.amountCents, world.bank.view(charge).terms?.amountCents]).toEqual([1000, 1000])
    }),
  )

  scenario("cancels a charge if the bank has the losing call's terms and refuses the stored ones", (world) =>
    Effect.gen(function* () {
      world.bank.lastRegisterWins()
      world.bank.fail("change", "rejected")
      const { round } = yield* aReconciler
      const id = crypto.randomUUID()
      yield* Effect.all(
        [1000, 2000].map((amountCents) => Effect.result(issue(aRequest({ id, amountCents })))),
        { concurrency: "unbounded" },
      )
      yield* TestClock.adjust("2 minutes")
      yield* round
      expect((yield* find({ issuer: aCnpj, id: aRequest({ id }).id }))._tag).toBe("Cancelled")
    }),
  )

  scenario("keeps other terms at the bank if the company has left the directory", (world) =>
    Effect.gen(function* () {
      const { round } = yield* aReconciler
      const charge = aPendingCharge({ issuer: cnpj("00000000000191"), checkAt: fixtureNow + 1_000 })
      yield* (yield* ChargeStore).insert(charge)
      const order = { ...charge, company: aCompany({ cnpj: charge.issuer }), requestedAt: fixtureNow }
      yield* (yield* PaymentProcessor).register(order)
      world.bank.changeTerms(charge, { amountCents: cents(5) })
      yield* TestClock.adjust("11 minutes")
      yield* round
      expect(world.bank.calls).toContain("lookup")
      expect(yield* find(charge)).toMatchObject({ _tag: "Pending", amountCents: charge.amountCents })
    }),
  )

  scenario("checks a charge again after the clock that ended its checks was set back", (world) =>
    Effect.gen(function* () {
      const issued = yield* anIssuedCharge()
      yield* TestClock.setTime(issued.watchUntil + 2_000)
      const { round } = yield* aReconciler
      yield* round
      expect(yield* find(issued)).not.toHaveProperty("checkAt")
      yield* TestClock.setTime(fixtureNow + 60_000)
      world.bank.receive(issued, aNotice(issued, { paidAt: fixtureNow + 60_000 }))
      // Only the look-up can find the payment, because the bank's list fails.
      world.bank.fail("payments", "unreachable")
      yield* round
      expect(yield* find(issued)).toMatchObject({ _tag: "Paid" })
    }),
  )
})

describe("Bookkeeping", () => {
  scenario("replaces characters that no store can keep in every input", (world) =>
    Effect.gen(function* () {
      const charges = yield* PixCharges
      const books = yield* Bookkeeping
      const paid = yield* aPaidOne(world)
      const odd = { issuer: aCnpj, amountCents: cents(7), paidAt: fixtureNow, txid: "x\0y" }
      const back = { issuer: aCnpj, kind: "outside", amountCents: cents(1), returnedAt: fixtureNow } as const
      yield* books.recordReceivedPayment({
        ...odd,
        endToEndId: "E1\0",
        returns: [{ ...back, id: "D\0", endToEndId: "E1\0" }],
      })
      expect(yield* failureTag(charges.confirmPayment({ ...odd, endToEndId: "E2\ud83d" }))).toBe("PaymentUnmatched")
      yield* books.applyView(paid, {
        status: "completed",
        payments: [{ ...odd, endToEndId: "E3\0" }],
        returns: [{ ...back, id: "D3\0", endToEndId: "E3\0" }],
      })
      expect(endToEndIds(yield* exceptions.pipe(Effect.map((all) => all.map(({ payment }) => payment))))).toEqual([
        "E1\ufffd",
        "E2\ufffd",
        "E3\ufffd",
      ])
      expect((yield* returns).map(({ id }) => id).toSorted()).toEqual(["D3\ufffd", "D\ufffd"])
    }),
  )
})

describe("confirmPayment", () => {
  scenario("marks a payment as having another amount if the fees are too large to compute", () =>
    Effect.gen(function* () {
      const fees = { interest: { kind: "percentPerDay", days: "calendar", basisPoints: 1_000_000 } } as const
      yield* registerCompany({ fees })
      const issued = yield* anIssuedCharge({ dueDate: "2026-06-08", amountCents: 999_999_999_999 })
      const late = aNotice(issued, { paidAt: fixtureNow + 200 * day })
      const charges = yield* PixCharges
      expect(yield* charges.confirmPayment(late)).toMatchObject({ _tag: "Paid", payment: { otherAmount: true } })
    }),
  )
})
