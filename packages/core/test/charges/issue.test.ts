import { txidOf } from "@pixcharge/verify/simulate/judge"
import { PaymentProcessor, DirectoryAdmin, PixCharges } from "@pixcharge/core"
import { parseFees } from "@pixcharge/core/money"
import { aChargeId, aCnpj, anotherCnpj, alphanumericCnpj, cents, fixtureNow } from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import {
  anIssuedCharge,
  aPaidOne,
  aRequest,
  company,
  inBothLocalities,
  issue,
  scenario,
  failureTag,
  registerCompany,
  type World,
} from "../World.ts"

const payer = { name: "Ana Souza", taxId: "52998224725" }

const find = (id: Parameters<PixCharges["Service"]["find"]>[1]) =>
  Effect.flatMap(PixCharges, (charges) => charges.find(aCnpj, id))

describe("a new charge", () => {
  inBothLocalities("is payable for ten minutes if it has no due date", () =>
    Effect.gen(function* () {
      const request = aRequest()
      const charge = yield* issue(request)
      expect(charge).toEqual({
        _tag: "Pending",
        issuer: company.cnpj,
        id: request.id,
        txid: txidOf(company.cnpj, request.id),
        transactionId: charge.transactionId,
        amountCents: 1990,
        brCode: `code of ${charge.txid}`,
        createdAt: fixtureNow,
        payableUntil: fixtureNow + 600_000,
        watchUntil: fixtureNow + 600_000 + 86_400_000,
        version: 1,
        updatedAt: fixtureNow,
        checkAt: fixtureNow + 45_000,
        // A look-up follows if sweeps find its payments.
        ...((yield* PaymentProcessor).locality === "remote" && { lookUpAt: fixtureNow + 661_000 }),
        returns: [],
      })
      expect(charge.transactionId).toMatch(/^[0-9a-f-]{36}$/)
      expect(yield* find(charge.id)).toEqual(charge)
    }),
  )

  scenario("keeps the host's reference and metadata, which the processor doesn't get", (world) =>
    Effect.gen(function* () {
      const texts = { reference: "segredo-7", metadata: { turma: "segredo 5B" } }
      const request = aRequest(texts)
      const charge = yield* issue(request)
      expect(charge).toMatchObject(texts)
      expect(yield* find(charge.id)).toEqual(charge)
      expect(yield* issue(request)).toEqual(charge)
      expect(JSON.stringify([...world.bank.orders.values()])).not.toContain("segredo")
    }),
  )

  scenario("is payable for the requested seconds, and shows the host's texts to the payer", (world) =>
    Effect.gen(function* () {
      const texts = { messageToPayer: "Pedido 7", additionalInfo: [{ name: "Mesa", value: "12" }] }
      const request = aRequest({ payableForSeconds: 3600, ...texts })
      const charge = yield* issue(request)
      expect(charge).toMatchObject({
        ...texts,
        payableUntil: fixtureNow + 3_600_000,
        watchUntil: fixtureNow + 3_600_000 + 86_400_000,
      })
      expect(yield* find(charge.id)).toEqual(charge)
      const order = world.bank.orders.get(`${company.cnpj} ${charge.txid}`)
      expect(order).toMatchObject({ payableForSeconds: 3600, payableUntil: charge.payableUntil, ...texts })
      yield* TestClock.adjust("59 minutes")
      expect(yield* issue(request)).toEqual(charge)
      const plain = { id: request.id, amountCents: request.amountCents }
      expect(yield* failureTag(issue(plain))).toBe("ChargeConflict")
      expect(yield* issue({ ...plain, isOfContract: true })).toEqual(charge)
    }),
  )

  scenario("has its own expiry even if the request was copied from another charge", (world) =>
    Effect.gen(function* () {
      const another = yield* anIssuedCharge()
      yield* TestClock.adjust("5 minutes")
      const charge = yield* issue({ ...another, id: aChargeId() })
      const order = world.bank.orders.get(`${company.cnpj} ${charge.txid}`)
      expect(order?.payableUntil).toBe(another.payableUntil + 300_000)
    }),
  )

  scenario("counts its validity from the processor's creation time", (world) =>
    Effect.gen(function* () {
      const request = aRequest({ payableForSeconds: 120 })
      world.bank.fail("register", "answerLost")
      expect(yield* failureTag(issue(request))).toBe("ProcessorUnavailable")
      yield* TestClock.adjust("1 minute")
      expect((yield* issue(request)).payableUntil).toBe(fixtureNow + 120_000)
    }),
  )

  scenario("is payable to the last millisecond of its grace days if it has a due date", (world) =>
    Effect.gen(function* () {
      // Saturday 6 June 2026 moves to Monday 8; five days later is Saturday 13.
      const charge = yield* anIssuedCharge({ dueDate: "2026-06-06", payer })
      expect(charge).toMatchObject({ dueDate: "2026-06-06", payer: { name: "Ana Souza", taxId: "52998224725" } })
      expect(new Date(charge.payableUntil).toISOString()).toBe("2026-06-14T02:59:59.999Z")
      // The last day moves to Monday 15, and the watch lasts a day longer.
      expect(new Date(charge.watchUntil).toISOString()).toBe("2026-06-17T02:59:59.999Z")
      expect(world.bank.orders.get(`${company.cnpj} ${charge.txid}`)).toMatchObject({
        dueDate: "2026-06-06",
        payableUntil: charge.payableUntil,
        requestedAt: fixtureNow,
      })
    }),
  )

  scenario("counts the local holidays of its company", () =>
    Effect.gen(function* () {
      yield* registerCompany({ localHolidays: ["2026-06-08"] })
      const charge = yield* anIssuedCharge({ dueDate: "2026-06-06" })
      expect(new Date(charge.payableUntil).toISOString()).toBe("2026-06-15T02:59:59.999Z")
    }),
  )

  scenario("stores the company's fees at issue, but only with a due date", () =>
    Effect.gen(function* () {
      const fees = { fine: { kind: "percent", basisPoints: 200 } } as const
      yield* registerCompany({ fees })
      const charge = yield* anIssuedCharge({ dueDate: "2026-07-01" })
      yield* registerCompany({ fees: { fine: { kind: "percent", basisPoints: 900 } } })
      expect((yield* find(charge.id)).fees).toEqual(Result.getOrThrow(parseFees(fees)))
      expect(yield* anIssuedCharge()).not.toHaveProperty("fees")
    }),
  )

  scenario("is registered with the generic payer if it names no payer, and stores no payer", (world) =>
    Effect.gen(function* () {
      const genericPayer = { name: "Consumidor Final", taxId: "11144477735" }
      yield* registerCompany({ genericPayer })
      const anonymous = yield* anIssuedCharge()
      const named = yield* anIssuedCharge({ payer })
      const orders = [anonymous, named].map(({ txid }) => world.bank.orders.get(`${company.cnpj} ${txid}`)?.payer)
      expect(orders).toEqual([genericPayer, payer])
      expect(anonymous).not.toHaveProperty("payer")
    }),
  )

  scenario("can be due today, late in the evening of Brasília, and in five years", () =>
    Effect.gen(function* () {
      // 02:59 UTC on 4 June is 23:59 on 3 June in Brasília.
      yield* TestClock.setTime(Date.UTC(2026, 5, 4, 2, 59, 59))
      expect(yield* failureTag(issue(aRequest({ dueDate: "2026-06-03" })))).toBe("none")
      expect(yield* failureTag(issue(aRequest({ dueDate: "2031-06-03" })))).toBe("none")
      const refused = yield* Effect.flip(issue(aRequest({ dueDate: "2026-06-02" })))
      expect(refused).toMatchObject({ _tag: "DueDateOutOfRange", earliest: "2026-06-03", latest: "2031-06-03" })
      expect(yield* failureTag(issue(aRequest({ dueDate: "2031-06-04" })))).toBe("DueDateOutOfRange")
      yield* TestClock.setTime(Date.UTC(2026, 5, 4, 3))
      expect(yield* failureTag(issue(aRequest({ dueDate: "2026-06-03" })))).toBe("DueDateOutOfRange")
    }),
  )

  scenario("is taken over from the processor, even after its due date", (world) =>
    Effect.gen(function* () {
      const request = aRequest({ dueDate: "2026-06-05", payer })
      world.bank.fail("register", "answerLost")
      expect(yield* failureTag(issue(request))).toBe("ProcessorUnavailable")
      yield* TestClock.adjust("4 days")
      expect(yield* issue(request)).toMatchObject({ _tag: "Pending", dueDate: "2026-06-05", createdAt: fixtureNow })
      expect(yield* find(request.id)).toMatchObject({ dueDate: "2026-06-05" })
    }),
  )

  scenario("is refused after its due date only if the processor doesn't have it", (world) =>
    Effect.gen(function* () {
      expect(yield* failureTag(issue(aRequest({ dueDate: "2026-06-02" })))).toBe("DueDateOutOfRange")
      expect(world.bank.calls).not.toContain("register")
      world.bank.fail("lookup", "unreachable")
      expect(yield* failureTag(issue(aRequest({ dueDate: "2026-06-02" })))).toBe("ProcessorUnavailable")
    }),
  )

  inBothLocalities("is refused before any call if prerequisites are missing; the error names all of them", (world) =>
    Effect.gen(function* () {
      const request = aRequest()
      yield* registerCompany({ walletActive: false, ownBankDomicile: false, associated: false })
      yield* Effect.flatMap(DirectoryAdmin, (admin) => admin.setWallet("00000000000191", false))
      const refused = yield* Effect.flip(issue(request))
      expect(refused).toMatchObject({
        _tag: "IssuerNotEligible",
        missing: ["association", "resellerWallet", "companyWallet", "ownBankDomicile"],
      })
      expect(world.bank.calls).toEqual([])
      expect(yield* failureTag(find(request.id))).toBe("ChargeNotFound")
    }),
  )

  inBothLocalities("is refused for an unknown company", () =>
    Effect.gen(function* () {
      expect(yield* failureTag(issue(aRequest(), alphanumericCnpj))).toBe("CompanyNotFound")
    }),
  )

  scenario("is refused if the reductions leave no amount to pay", () =>
    Effect.gen(function* () {
      yield* registerCompany({ fees: { abatement: { kind: "fixed", amountCents: 1990 } } })
      expect(yield* failureTag(issue(aRequest({ dueDate: "2026-07-01" })))).toBe("InvalidFees")
      expect(yield* failureTag(issue(aRequest({ dueDate: "2026-07-01", amountCents: 1991 })))).toBe("none")
      expect(yield* failureTag(issue(aRequest()))).toBe("none")
    }),
  )

  inBothLocalities("isn't issued while the directory can't be read", (world) =>
    Effect.gen(function* () {
      world.directoryIsDown = true
      expect(yield* failureTag(issue())).toBe("DirectoryUnavailable")
      expect(world.bank.calls).toEqual([])
    }),
  )

  inBothLocalities("can have the id of another company's charge", () =>
    Effect.gen(function* () {
      const request = aRequest()
      const ours = yield* issue(request)
      const theirs = yield* issue({ ...request, amountCents: cents(5) }, anotherCnpj)
      expect([theirs.issuer, theirs.amountCents]).toEqual([anotherCnpj, 5])
      expect(yield* find(request.id)).toEqual(ours)
      const charges = yield* PixCharges
      expect(yield* failureTag(charges.find(alphanumericCnpj, request.id))).toBe("ChargeNotFound")
    }),
  )

  scenario(
    "costs one write and no look-up with a local processor",
    (world) =>
      Effect.gen(function* () {
        yield* issue()
        expect([world.log, world.bank.calls]).toEqual([["insert"], ["register"]])
      }),
    "local",
  )

  scenario("is first looked up and then registered at a remote processor, and stored last", (world) =>
    Effect.gen(function* () {
      const request = aRequest()
      world.bank.fail("register", "unreachable")
      yield* failureTag(issue(request))
      // Read before the call to the processor, and again before the failure is reported.
      expect([world.log, world.bank.calls]).toEqual([["find", "find"], ["register"]])
      yield* issue(request)
      expect(world.log.slice(2)).toEqual(["find", "insert"])
    }),
  )
})

describe("a repeated request", () => {
  const troubles: Record<string, (world: World) => Effect.Effect<void, unknown, DirectoryAdmin>> = {
    "the due date has passed": () => TestClock.setTime(Date.UTC(2026, 5, 12, 15)),
    "the company's wallet is inactive": () => registerCompany({ walletActive: false }),
    "the association with the reseller has ended": () => registerCompany({ associated: false }),
    "the directory can't be read": (world) =>
      Effect.sync(() => {
        world.directoryIsDown = true
      }),
    "the processor is down": (world) => Effect.sync(() => world.bank.fail("register", "unreachable", "unreachable")),
    "the processor refuses": (world) => Effect.sync(() => world.bank.fail("register", "rejected")),
    "the company's fees and grace days have changed": () =>
      registerCompany({ graceDays: 99, fees: { abatement: { kind: "fixed", amountCents: 5 } } }),
  }

  for (const [trouble, cause] of Object.entries(troubles)) {
    inBothLocalities(`gets its first answer even if ${trouble}`, (world) =>
      Effect.gen(function* () {
        const request = aRequest({ dueDate: "2026-06-08" })
        const first = yield* issue(request)
        yield* cause(world)
        expect(yield* issue(request)).toEqual(first)
      }),
    )
  }

  inBothLocalities("returns the paid charge long after its expiry", (world) =>
    Effect.gen(function* () {
      const paid = yield* aPaidOne(world)
      yield* TestClock.adjust("400 days")
      expect(yield* issue(aRequest({ id: paid.id }))).toEqual(paid)
    }),
  )

  inBothLocalities("fails if the charge has expired, or was cancelled or refunded", (world) =>
    Effect.gen(function* () {
      const charges = yield* PixCharges
      const paid = yield* aPaidOne(world)
      yield* charges.refund(paid.issuer, paid.id)
      const gone = yield* anIssuedCharge()
      yield* charges.cancel(gone.issuer, gone.id)
      const old = yield* anIssuedCharge()
      yield* TestClock.adjust("11 minutes")
      const tags = yield* Effect.all([paid, gone, old].map(({ id }) => failureTag(issue(aRequest({ id })))))
      expect(tags).toEqual(["ChargeRefunded", "ChargeCancelled", "ChargeExpired"])
    }),
  )

  inBothLocalities("conflicts and changes nothing if its terms differ", () =>
    Effect.gen(function* () {
      const first = yield* anIssuedCharge({ dueDate: "2026-07-01", payer })
      const others = [
        { amountCents: 1991, dueDate: "2026-07-01", payer },
        { dueDate: "2026-07-02", payer },
        { payer },
        { dueDate: "2026-07-01" },
        { dueDate: "2026-07-01", payer: { ...payer, name: "Outra" } },
      ]
      for (const other of others) {
        expect(yield* failureTag(issue(aRequest({ id: first.id, ...other })))).toBe("ChargeConflict")
      }
      expect(yield* find(first.id)).toEqual(first)
    }),
  )

  scenario("conflicts even if the bank doesn't answer while the stored terms are put back, which is logged", (world) =>
    Effect.gen(function* () {
      world.bank.lastRegisterWins()
      world.bank.fail("lookup", "unreachable")
      const id = crypto.randomUUID()
      const answers = yield* Effect.all(
        [1000, 2000].map((amountCents) => failureTag(issue(aRequest({ id, amountCents })))),
        { concurrency: "unbounded" },
      )
      expect(answers.toSorted()).toEqual(["ChargeConflict", "none"])
      expect(world.logged).toEqual(["Warn The stored terms of a charge could not be put back yet"])
    }),
  )

  inBothLocalities("makes one charge and 40 identical answers if it is sent 40 times in parallel", (world) =>
    Effect.gen(function* () {
      const request = aRequest()
      const answers = yield* Effect.all(
        Array.from({ length: 40 }, () => issue(request)),
        { concurrency: "unbounded" },
      )
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
      expect(world.bank.orders.size).toBe(1)
      expect(yield* find(request.id)).toEqual(answers[0])
    }),
  )

  inBothLocalities("issues one charge if requests with different terms come in parallel; all but one conflict", () =>
    Effect.gen(function* () {
      const id = aChargeId()
      const tags = yield* Effect.all(
        Array.from({ length: 20 }, (_, index) => failureTag(issue(aRequest({ id, amountCents: 100 + index })))),
        { concurrency: "unbounded" },
      )
      expect(tags.filter((tag) => tag === "none")).toHaveLength(1)
      expect(tags.filter((tag) => tag === "ChargeConflict")).toHaveLength(19)
    }),
  )
})

describe("issuing after trouble", () => {
  inBothLocalities("succeeds once the processor is reachable again", (world) =>
    Effect.gen(function* () {
      const request = aRequest()
      world.bank.fail("register", "unreachable")
      expect(yield* failureTag(issue(request))).toBe("ProcessorUnavailable")
      expect(yield* failureTag(find(request.id))).toBe("ChargeNotFound")
      expect((yield* issue(request))._tag).toBe("Pending")
    }),
  )

  scenario("takes over a charge whose registration was not answered, with its creation time", (world) =>
    Effect.gen(function* () {
      const request = aRequest()
      world.bank.fail("register", "answerLost")
      expect(yield* failureTag(issue(request))).toBe("ProcessorUnavailable")
      yield* TestClock.adjust("4 minutes")
      const charge = yield* issue(request)
      expect([charge.createdAt, charge.payableUntil]).toEqual([fixtureNow, fixtureNow + 600_000])
      expect(charge.updatedAt).toBe(fixtureNow + 240_000)
      expect(world.bank.orders.size).toBe(1)
    }),
  )

  scenario("never returns a code that expired before the processor answered", (world) =>
    Effect.gen(function* () {
      const request = aRequest()
      world.bank.fail("register", "late")
      const late = yield* Effect.forkChild(failureTag(issue(request)))
      yield* TestClock.adjust("11 minutes")
      expect(yield* Fiber.join(late)).toBe("ChargeExpired")
    }),
  )

  scenario("never returns an expired code as new, but watches it", (world) =>
    Effect.gen(function* () {
      const request = aRequest()
      world.bank.fail("register", "answerLost")
      yield* failureTag(issue(request))
      yield* TestClock.adjust("10 minutes")
      yield* TestClock.adjust(1)
      expect(yield* failureTag(issue(request))).toBe("ChargeExpired")
      // A payment can have come meanwhile.
      expect((yield* find(request.id)).checkAt).toBeDefined()
    }),
  )

  inBothLocalities("finds a charge whose insertion was not answered", (world) =>
    Effect.gen(function* () {
      const request = aRequest()
      world.storeFaults.set("insert", "answerLost")
      const charge = yield* issue(request)
      expect(yield* find(request.id)).toEqual(charge)
    }),
  )

  inBothLocalities("leaves no charge if the store can't be written; a repeated request makes the charge", (world) =>
    Effect.gen(function* () {
      const request = aRequest()
      world.storeFaults.set("insert", "unreachable")
      expect(yield* failureTag(issue(request))).toBe("StoreUnavailable")
      expect(yield* failureTag(find(request.id))).toBe("ChargeNotFound")
      expect(yield* find((yield* issue(request)).id)).toMatchObject({ _tag: "Pending" })
    }),
  )

  inBothLocalities("fails with the processor's refusal", (world) =>
    Effect.gen(function* () {
      world.bank.fail("register", "rejected")
      expect(yield* failureTag(issue())).toBe("ProcessorRejected")
    }),
  )
})
