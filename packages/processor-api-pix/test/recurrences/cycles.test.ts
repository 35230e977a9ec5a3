import { addDays, type LocalDate } from "@pixcharge/core/calendar"
import type { PendingCharge } from "@pixcharge/core/charges"
import type { ApprovedRecurrence } from "@pixcharge/core/recurrence"
import { type FaultedCall, reshaping } from "@pixcharge/simulated-bank"
import { anOrder } from "@pixcharge/adapter-tests/fixtures"
import { it } from "./itSettles.ts"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { describe, expect } from "vitest"
import { account, company } from "../bank/openBank.ts"
import { aCycleCharge } from "./aRecurrence.ts"
import { listCalls, losses, openRecurrences } from "./openRecurrences.ts"

const brasilia = (on: LocalDate, hour: number): number => Date.parse(`${on}T00:00:00-03:00`) + hour * 3_600_000

const isCall = (method: string, form: RegExp) => (call: FaultedCall) => call.method === method && form.test(call.path)

const onCycle = /^\/cobr\/[^/]+$/

const readSettlement = ({ cycle }: PendingCharge): LocalDate => cycle?.settlesOn ?? ("" as LocalDate)

const readRetryDays = ({ cycle }: PendingCharge) => cycle?.retryDays as [LocalDate, LocalDate]

type Opened = Effect.Success<ReturnType<typeof openRecurrences>>

const charged = Effect.fnUntraced(function* (
  { approve, recurrences }: Opened,
  more: Parameters<Opened["approve"]>[0] = {},
) {
  const recurrence = yield* approve(more)
  const charge = aCycleCharge(recurrence)
  yield* recurrences.charge({ company, charge })
  return { recurrence, charge }
})

const listCycles = ({ psp }: Opened) => [...psp.recurring.ledger.cycles.values()]

describe("charging a cycle", () => {
  for (const putOnCycle of ["repeats", "refuses"] as const) {
    it.live(`makes only one charge for two equal orders if the bank ${putOnCycle} a second PUT`, () =>
      Effect.gen(function* () {
        const opened = yield* openRecurrences({ ways: { putOnCycle } })
        const { recurrence, charge } = yield* charged(opened)
        yield* opened.recurrences.charge({ company, charge })
        expect(listCycles(opened).map(({ txid, body }) => ({ txid, body }))).toEqual([
          {
            txid: charge.txid,
            body: {
              idRec: recurrence.bankId,
              calendario: { dataDeVencimento: recurrence.startDate },
              valor: { original: "49.90" },
              ajusteDiaUtil: true,
              recebedor: { agencia: "1234", conta: "1234567", tipoConta: "PAGAMENTO" },
            },
          },
        ])
      }),
    )

    for (const [what, fault] of Object.entries(losses)) {
      it.live(`makes only one charge if ${what}, and the bank ${putOnCycle} a second PUT`, () =>
        Effect.gen(function* () {
          const opened = yield* openRecurrences({ ways: { putOnCycle } })
          opened.psp.faults.add(fault, isCall("PUT", onCycle), 1)
          const { charge } = yield* charged(opened)
          expect(listCycles(opened).map(({ txid }) => txid)).toEqual([charge.txid])
        }),
      )
    }
  }

  it.live("doesn't replace another charge that has the txid", () =>
    Effect.gen(function* () {
      const opened = yield* openRecurrences()
      const { recurrence, charge } = yield* charged(opened)
      for (const other of [
        { ...charge, amountCents: 5_000 as typeof charge.amountCents },
        { ...charge, dueDate: addDays(recurrence.startDate, 1) },
        { ...charge, ...(charge.cycle && { cycle: { ...charge.cycle, bankId: "RR1234567820260101abcdefghijk" } }) },
      ]) {
        const refused = yield* Effect.flip(opened.recurrences.charge({ company, charge: other }))
        expect(refused._tag === "ProcessorRejected" && Redacted.value(refused.reason)).toMatch(/another recurrence/)
      }
      const order = yield* anOrder(company, {})
      yield* opened.processor.register(order)
      const taken = { ...aCycleCharge(recurrence, { generation: 2 }), txid: order.txid }
      expect((yield* Effect.flip(opened.recurrences.charge({ company, charge: taken })))._tag).toBe("ProcessorRejected")
      expect((yield* opened.recurrences.lookupCharge(taken)).debit.status).toBe("absent")
    }),
  )

  it.live("is rejected for a cycle that is already charged", () =>
    Effect.gen(function* () {
      const opened = yield* openRecurrences()
      const { recurrence } = yield* charged(opened)
      const second = aCycleCharge(recurrence, { generation: 2 })
      const refused = yield* Effect.flip(opened.recurrences.charge({ company, charge: second }))
      expect([refused._tag, listCycles(opened).length]).toEqual(["ProcessorRejected", 1])
    }),
  )

  it.live("counts as unavailable if the bank refuses the client, not the charge", () =>
    Effect.gen(function* () {
      const scopes = ["rec.write", "rec.read", "payloadlocationrec.write", "cobr.read"]
      const opened = yield* openRecurrences({ accounts: [{ ...account, scopes }] })
      const charge = aCycleCharge(yield* opened.approve())
      const failed = yield* Effect.flip(opened.recurrences.charge({ company, charge }))
      expect([failed._tag, listCycles(opened)]).toEqual(["ProcessorUnavailable", []])
    }),
  )
})

describe("looking up a cycle's charge", () => {
  it.live("shows it first as absent, then as scheduled, then as paid with its payment", () =>
    Effect.gen(function* () {
      const opened = yield* openRecurrences()
      const { recurrence, charge } = yield* charged(opened)
      const absent = yield* opened.recurrences.lookupCharge(aCycleCharge(recurrence, { generation: 2 }))
      expect(absent).toEqual({
        status: "unknown",
        payments: [],
        returns: [],
        debit: { status: "absent", attempts: [] },
      })
      const on = readSettlement(charge)
      const { debit, terms } = yield* opened.recurrences.lookupCharge(charge)
      expect([debit, terms]).toEqual([
        { status: "active", attempts: [{ kind: "first", on, status: "scheduled", endToEndId: expect.any(String) }] },
        { amountCents: 4_990, dueDate: charge.dueDate },
      ])
      opened.psp.recurring.runDay(on)
      const paid = yield* opened.recurrences.lookupCharge(charge)
      expect(paid).toMatchObject({
        status: "completed",
        debit: { status: "completed", attempts: [{ on, status: "paid" }] },
        payments: [{ txid: charge.txid, amountCents: 4_990, issuer: company.cnpj }],
      })
      expect(opened.psp.recurring.debits).toHaveLength(1)
    }),
  )

  it.live("finds its payment by the attempt's endToEndId if the bank omits the payment", () =>
    Effect.gen(function* () {
      const opened = yield* openRecurrences()
      const { charge } = yield* charged(opened)
      opened.psp.recurring.runDay(readSettlement(charge))
      opened.psp.ways.reshape = (answer) => {
        const { pix: _, ...body } = answer.body as { readonly pix?: unknown }
        return { ...answer, body }
      }
      const { payments } = yield* opened.recurrences.lookupCharge(charge)
      expect(payments.map(({ txid, endToEndId }) => ({ txid, endToEndId }))).toEqual(
        opened.psp.recurring.debits.map(({ txid, endToEndId }) => ({ txid, endToEndId })),
      )
    }),
  )

  it.live("shows the code of a rejected attempt, and who cancelled the charge", () =>
    Effect.gen(function* () {
      const opened = yield* openRecurrences()
      const recurrence = yield* opened.approve()
      opened.psp.recurring.setMaximum(recurrence.bankId, 100)
      const above = aCycleCharge(recurrence)
      yield* opened.recurrences.charge({ company, charge: above })
      expect((yield* opened.recurrences.lookupCharge(above)).debit).toMatchObject({
        status: "active",
        attempts: [{ status: "rejected", code: "AM02" }],
      })
      const { charge } = yield* charged(opened)
      opened.psp.recurring.cancelDebit(company.cnpj, charge.txid)
      expect(yield* opened.recurrences.lookupCharge(charge)).toMatchObject({
        status: "removed",
        debit: { status: "cancelled", by: "payer", code: "SLBD", attempts: [{ status: "cancelled" }] },
      })
    }),
  )

  for (const [what, reshape] of Object.entries({
    "statuses under nome": reshaping.statusByName,
    "tax ids as numbers": reshaping.documentsAsNumbers,
    "a signature": reshaping.signed,
    "the charge inside data": ((answer) => ({ ...answer, body: { data: answer.body } })) satisfies reshaping.Reshape,
  })) {
    it.live(`reads a bank that writes ${what}`, () =>
      Effect.gen(function* () {
        const opened = yield* openRecurrences({ ways: { reshape } })
        const { recurrence, charge } = yield* charged(opened)
        expect((yield* opened.recurrences.lookupCharge(charge)).debit).toMatchObject({
          status: "active",
          attempts: [{ status: "scheduled" }],
        })
        expect(yield* opened.recurrences.end(recurrence)).toMatchObject({ status: "cancelled", by: "company" })
        expect(yield* opened.offer({ ...recurrence, _tag: "Requested" }, {})).toMatchObject({
          bankId: recurrence.bankId,
        })
      }),
    )
  }
})

describe("cancelling a cycle's charge", () => {
  for (const [what, fault] of Object.entries({ "nothing is lost": undefined, ...losses })) {
    it.live(`succeeds if ${what}, and succeeds again if repeated`, () =>
      Effect.gen(function* () {
        const opened = yield* openRecurrences()
        const { charge } = yield* charged(opened)
        if (fault !== undefined) opened.psp.faults.add(fault, isCall("PATCH", onCycle), 1)
        expect(yield* opened.recurrences.cancelCharge(charge)).toEqual({ _tag: "Cancelled" })
        expect(yield* opened.recurrences.cancelCharge(charge)).toEqual({ _tag: "Cancelled" })
        expect(listCycles(opened).map(({ status }) => status)).toEqual(["CANCELADA"])
      }),
    )
  }

  it.live("fails after 22:00 of the day before, because the bank keeps the charge, and it is paid the next day", () =>
    Effect.gen(function* () {
      const opened = yield* openRecurrences()
      const { charge } = yield* charged(opened)
      const on = readSettlement(charge)
      opened.moveTo(brasilia(addDays(on, -1), 22) + 1_000)
      expect((yield* Effect.flip(opened.recurrences.cancelCharge(charge)))._tag).toBe("ProcessorRejected")
      opened.moveTo(brasilia(on, 9))
      const outcome = yield* opened.recurrences.cancelCharge(charge)
      expect(outcome).toMatchObject({ _tag: "Paid", view: { payments: [{ amountCents: 4_990 }] } })
    }),
  )

  it.live("succeeds if the bank doesn't have the charge", () =>
    Effect.gen(function* () {
      const opened = yield* openRecurrences()
      const charge = aCycleCharge(yield* opened.approve())
      expect(yield* opened.recurrences.cancelCharge(charge)).toEqual({ _tag: "Cancelled" })
    }),
  )

  it.live("fails if the bank answers 200 and keeps the charge", () =>
    Effect.gen(function* () {
      const opened = yield* openRecurrences()
      const { charge } = yield* charged(opened)
      opened.psp.ways.reshape = (answer, { path }) =>
        path.startsWith("/cobr/") ? { status: 200, body: { ...(answer.body as object), status: "ATIVA" } } : answer
      expect((yield* Effect.flip(opened.recurrences.cancelCharge(charge)))._tag).toBe("ProcessorRejected")
    }),
  )
})

describe("a new attempt", () => {
  const openUnpaid = Effect.fnUntraced(function* (opened: Opened, more: Partial<ApprovedRecurrence> = {}) {
    const { retries = "threeInSeven" } = more
    const { recurrence, charge } = yield* charged(opened, { retries })
    opened.psp.recurring.setBalance(recurrence.bankId, 0)
    opened.moveTo(brasilia(readSettlement(charge), 21) + 60_000)
    return charge
  })

  for (const [what, fault] of Object.entries({ "nothing is lost": undefined, ...losses })) {
    it.live(`is made once a day if ${what}`, () =>
      Effect.gen(function* () {
        const opened = yield* openRecurrences()
        const charge = yield* openUnpaid(opened)
        const [first, second] = readRetryDays(charge)
        if (fault !== undefined) opened.psp.faults.add(fault, isCall("POST", /\/retentativa\//), 1)
        yield* opened.recurrences.retry(charge, first)
        yield* opened.recurrences.retry(charge, first)
        const { attempts } = (yield* opened.recurrences.lookupCharge(charge)).debit
        expect(attempts.map(({ kind, on, status }) => [kind, on, status])).toEqual([
          ["first", readSettlement(charge), "expired"],
          ["retry", first, "scheduled"],
        ])
        // One attempt is under way, so the bank refuses a second attempt.
        expect((yield* Effect.flip(opened.recurrences.retry(charge, second)))._tag).toBe("ProcessorRejected")
      }),
    )
  }

  it.live("is rejected if the authorisation permits no retries", () =>
    Effect.gen(function* () {
      const opened = yield* openRecurrences()
      const charge = yield* openUnpaid(opened, { retries: "none" })
      const on = addDays(readSettlement(charge), 1)
      expect((yield* Effect.flip(opened.recurrences.retry(charge, on)))._tag).toBe("ProcessorRejected")
    }),
  )
})

describe("ending a recurrence", () => {
  for (const [what, fault] of Object.entries({ "nothing is lost": undefined, ...losses })) {
    it.live(`succeeds for the company if ${what}, and succeeds again if repeated`, () =>
      Effect.gen(function* () {
        const opened = yield* openRecurrences()
        const recurrence = yield* opened.approve()
        if (fault !== undefined) opened.psp.faults.add(fault, isCall("PATCH", /^\/rec\//), 1)
        const ended = { status: "cancelled", by: "company", code: "SLCR" }
        expect(yield* opened.recurrences.end(recurrence)).toMatchObject(ended)
        expect(yield* opened.recurrences.end(recurrence)).toMatchObject(ended)
      }),
    )
  }

  it.live("shows that the payer had already ended it", () =>
    Effect.gen(function* () {
      const opened = yield* openRecurrences()
      const recurrence = yield* opened.approve()
      opened.psp.recurring.cancel(recurrence.bankId)
      expect(yield* opened.recurrences.end(recurrence)).toMatchObject({
        status: "cancelled",
        by: "payer",
        code: "SLDB",
      })
      expect(listCalls(opened.psp).slice(-2)).toEqual(["PATCH /rec/{id}", "GET /rec/{id}"])
    }),
  )
})
