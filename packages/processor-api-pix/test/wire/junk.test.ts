import * as Result from "effect/Result"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { chargeReader, type PspCharge } from "../../src/wire/Cob.ts"
import { type PspPayment, readPayment, readPaymentPage, readReturn } from "../../src/wire/PixBody.ts"
import { readReason, readRefusal } from "../../src/wire/Problem.ts"
import { readToken } from "../../src/client/AccessToken.ts"
import { readNotice } from "../../src/wire/Webhook.ts"
import {
  aDueDateCharge,
  anImmediateCharge,
  aPage,
  aPayment,
  aReturn,
  type FieldPath,
  fieldPaths,
  junk,
  oddities,
  withField,
} from "./wireBodies.ts"

const numRuns = 100

const paymentMeaning = ({ endToEndId, txid, amountCents, paidAt, returns }: PspPayment) => ({
  endToEndId,
  txid,
  amountCents,
  paidAt,
  returns: returns.map(({ id, amountCents: cents, status }) => ({ id, cents, status })),
})

/**
 * The parts of a charge that must not change. Code and location aren't among them: they are checked when a charge is
 * handed out.
 */
const chargeMeaning = ({ txid, status, amountCents, dueDate, payments, flaws }: PspCharge) => ({
  txid,
  status,
  amountCents,
  dueDate,
  payments: payments.map(paymentMeaning),
  flaws,
})

const readCharge = (json: unknown) => Result.map(chargeReader([])(json), chargeMeaning)
const readOne = (json: unknown) => Result.map(readPayment(json), (payment) => [paymentMeaning(payment), payment.flaws])
const readBack = (json: unknown) =>
  Result.map(readReturn(json), ({ id, amountCents, status }) => ({ id, amountCents, status }))
const readPage = (json: unknown) =>
  Result.map(readPaymentPage(json), ({ payments, flaws }) => [payments.map(paymentMeaning), flaws])

const neededOfReturn = ["id", "valor", "status"]
const neededOfPayment = [
  "endToEndId",
  "txid",
  "valor",
  "horario",
  ...neededOfReturn.map((name) => `devolucoes.*.${name}`),
]
const inList = (names: ReadonlyArray<string>) => names.map((name) => `pix.*.${name}`)
const neededOfCharge = ["txid", "status", "valor.original", ...inList(neededOfPayment)]
const neededOfDueDate = [...neededOfCharge, "calendario.dataDeVencimento"]
const neededOfPage = inList(neededOfPayment)

const generalized = (path: FieldPath): string => path.map((name) => (/^\d+$/.test(name) ? "*" : name)).join(".")

const isNeeded = (path: FieldPath, needed: ReadonlyArray<string>): boolean => {
  const name = generalized(path)
  return needed.some((one) => one === name || one.startsWith(`${name}.`))
}

const cases = [
  ["an immediate charge", anImmediateCharge, readCharge, neededOfCharge],
  ["a due-date charge", aDueDateCharge, readCharge, neededOfDueDate],
  ["a payment", aPayment, readOne, neededOfPayment],
  ["a return", aReturn, readBack, neededOfReturn],
  ["a page of payments", aPage, readPage, neededOfPage],
] as const

describe.each(cases)("%s from a bank", (_, body: fc.Arbitrary<object>, read, needed) => {
  it("keeps its meaning with any value in one field that no rule needs", () => {
    fc.assert(
      fc.property(body, junk, fc.nat(), (json, value, at) => {
        const free = fieldPaths(json).filter((path) => !isNeeded(path, needed))
        const path = free[at % free.length] ?? []
        expect(read(withField(json, path, value))).toEqual(read(json))
      }),
      { numRuns },
    )
  })

  it("keeps its meaning with an unusual value in all fields that no rule needs", () => {
    fc.assert(
      fc.property(body, fc.constantFrom(...oddities), (json, value) => {
        const free = fieldPaths(json).filter((path) => !isNeeded(path, needed))
        const outermost = free.filter(
          (path) => !free.some((one) => path.length > one.length && one.every((name, n) => name === path[n])),
        )
        const changedJson = outermost.reduce<unknown>((changed, path) => withField(changed, path, value), json)
        expect(read(changedJson)).toEqual(read(json))
      }),
      { numRuns },
    )
  })
})

const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Whether the field accepts this value, or ignores it, like an empty list of returns. */
const isAccepted = (path: FieldPath, value: unknown): boolean => {
  const name = path.at(-1)
  if (name === "txid") return value === null || value === "" || typeof value === "string" || typeof value === "number"
  if (name === "id" || name === "status")
    return typeof value === "number" || (typeof value === "string" && value !== "")
  return name === "valor" && typeof value === "number" && value === 0.5
}

describe("an incomplete payment in a list, or return in a payment", () => {
  it("is skipped and counted, and doesn't make other entries unreadable", () => {
    fc.assert(
      fc.property(aPage, fc.constantFrom(...oddities), fc.nat(), (json, value, at) => {
        const wanted = fieldPaths(json).filter((path) => neededOfPage.includes(generalized(path)))
        const path = wanted[at % wanted.length] ?? []
        fc.pre(!isAccepted(path, value))
        const [whole, incomplete] = [
          Result.getOrThrow(readPaymentPage(json)),
          Result.getOrThrow(readPaymentPage(withField(json, path, value))),
        ]
        const broken = Number(path[1])
        const others = whole.payments.toSpliced(broken, 1)
        expect(incomplete.flaws).toHaveLength(1)
        expect(incomplete.marks).toHaveLength(whole.marks.length)
        for (const other of others) expect(incomplete.payments.some((one) => isEqual(one, other))).toBe(true)
        if (path[2] !== "devolucoes") expect(incomplete.payments).toHaveLength(whole.payments.length - 1)
        else {
          expect(incomplete.payments).toHaveLength(whole.payments.length)
          expect(incomplete.payments[broken]?.returns).toHaveLength((whole.payments[broken]?.returns.length ?? 0) - 1)
        }
      }),
      { numRuns },
    )
  })
})

describe("any JSON", () => {
  it("is read or rejected by every reader without a throw", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (json) => {
        for (const reader of [chargeReader(["emv"]), readPayment, readReturn, readPaymentPage, readToken, readNotice]) {
          expect(Result.isResult(reader(json))).toBe(true)
        }
        expect(readRefusal(400, json).status).toBe(400)
        expect(typeof readReason(json).explanation).toBe("string")
      }),
      { numRuns: 500 },
    )
  })
})
