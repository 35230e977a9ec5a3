import { isStorableText, type PaymentProcessor } from "@pixcharge/core"
import { isLegible, legibleText } from "@pixcharge/core/internal"
import { aCnpj, aPendingCharge } from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { storableProcessor } from "../../src/ports/storableProcessor.ts"
import { storableText } from "../../src/runtime/storable.ts"

const rlo = "\u202e"

describe("storable and legible texts", () => {
  it.each(["a\0", "\0", "\ud83e", "a\udd9cb", "\udd9c\ud83e"])(
    "storableText replaces the unstorable characters of %j",
    (text) => {
      expect(isStorableText(text)).toBe(false)
      expect(storableText(text)).toBe([...text].map((one) => (one === "a" || one === "b" ? one : "\ufffd")).join(""))
    },
  )

  it.each(["", "a", "\u0001\t\n\r\u007f", "\ud83e\udd9c", "é\u2028"])(
    "storableText keeps the storable text %j",
    (text) => {
      expect([isStorableText(text), storableText(text)]).toEqual([true, text])
    },
  )

  it.each(["a", "7", ".", "€", "José", "\ud83e\udd9c", "a\u200b"])(
    "isLegible accepts %j, which has a visible character",
    (text) => {
      expect(isLegible(text)).toBe(true)
    },
  )

  it.each([
    "",
    " ",
    "\u200b",
    "\u3164",
    "\u2800",
    "\u0301",
    "a\n",
    "a\t",
    "a\0",
    "a\u0085",
    "a\u2028",
    "a\u2029",
    "a\ud83e",
  ])("isLegible refuses %j, which is invisible or has a control character", (text) => {
    expect(isLegible(text)).toBe(false)
  })

  it("a direction mark makes a text illegible, but not unstorable", () => {
    expect([isStorableText(rlo), storableText(rlo), isLegible(`a${rlo}`)]).toEqual([true, rlo, false])
  })

  it("legibleText replaces control characters but keeps line breaks and tabs", () => {
    expect(legibleText(`a\tb\nc\r\u2028${rlo}d\0e\u0085\ud83e\u200b`)).toBe(
      "a\tb\nc\r\u2028\ufffdd\ufffde\ufffd\ufffd\u200b",
    )
  })
})

describe("storableProcessor", () => {
  const charge = aPendingCharge()
  const odd = "x\0"
  const kept = "x\ufffd"
  const notice = { issuer: aCnpj, endToEndId: odd, amountCents: 1, paidAt: 2 }
  const returned = { issuer: aCnpj, id: odd, endToEndId: odd, kind: "outside", amountCents: 1, returnedAt: 3 }
  const view = { status: "active", payments: [{ ...notice, txid: odd }, notice], returns: [returned] }
  const rejected = { _tag: "Rejected", reason: odd }
  const shown = {
    status: "active",
    payments: [
      { ...notice, endToEndId: kept, txid: kept },
      { ...notice, endToEndId: kept },
    ],
    returns: [{ ...returned, id: kept, endToEndId: kept }],
  }

  /** The result of one call of a storable processor whose bank gives these answers. */
  const resultOf = async (answers: Readonly<Record<string, unknown>>, call: keyof PaymentProcessor["Service"]) => {
    const methods = Object.fromEntries(
      Object.entries(answers).map(([name, answer]) => [name, () => Effect.succeed(answer)]),
    )
    const processor = storableProcessor(methods as never) as unknown as Record<string, () => Effect.Effect<unknown>>
    return Effect.runPromise((processor[call] as () => Effect.Effect<unknown>)())
  }

  it("makes every text of the processor storable", async () => {
    const { txid, createdAt, brCode } = charge
    expect(await resultOf({ register: { txid, createdAt, brCode: odd } }, "register")).toEqual({
      txid,
      createdAt,
      brCode: kept,
    })
    const made = { txid, createdAt, brCode }
    expect(await resultOf({ register: made }, "register")).toBe(made)
    expect(await resultOf({ lookup: view }, "lookup")).toEqual(shown)
    expect(await resultOf({ cancel: { _tag: "Paid", view } }, "cancel")).toEqual({ _tag: "Paid", view: shown })
    expect(await resultOf({ cancel: { _tag: "Cancelled" } }, "cancel")).toEqual({ _tag: "Cancelled" })
    for (const call of ["refund", "lookupRefund"] as const) {
      expect(await resultOf({ [call]: rejected }, call)).toEqual({ ...rejected, reason: kept })
      const processing = { _tag: "Processing" }
      expect(await resultOf({ [call]: processing }, call)).toBe(processing)
    }
    expect(await resultOf({ lookupRefund: undefined }, "lookupRefund")).toBeUndefined()
    const page = { items: [{ ...notice, returns: [returned] }, notice], cursor: odd }
    const items = [
      { ...notice, endToEndId: kept, returns: shown.returns },
      { ...notice, endToEndId: kept, returns: [] },
    ]
    expect(await resultOf({ payments: page }, "payments")).toEqual({ items, cursor: kept })
    expect(await resultOf({ payments: { items: [], unreadable: 2 } }, "payments")).toStrictEqual({
      items: [],
      unreadable: 2,
    })
  })
})
