import { formatsFor } from "@pixcharge/web"
import { describe, expect, it } from "vitest"
import { browserFormats } from "../src/element/browserFormats.ts"
import { wayOf } from "../src/pages/wayOf.ts"
import { checkoutParts } from "../src/view/checkoutParts.ts"
import type { CheckoutState } from "../src/view/CheckoutState.ts"
import { clockText, warningText } from "../src/view/clockText.ts"
import type { ViewContext } from "../src/view/ViewParts.ts"

const now = Date.UTC(2027, 2, 1, 15)
const amounts = {
  originalCents: 10_000,
  abatementCents: 100,
  discountCents: 200,
  interestCents: 0,
  fineCents: 0,
  totalCents: 9700,
}
const pending: CheckoutState = {
  id: "1",
  now,
  status: "pending",
  isFinal: false,
  payee: { name: "Loja <b>&", taxId: "12345678000195" },
  amounts,
  payableUntil: now + 600_000,
  brCode: "000201-code",
  returnedCents: 0,
  canRenew: false,
}
const payment = { amountCents: 9700, paidAt: now, isLate: false }
const links = { qr: "qr", renew: "renew", receipt: "receipt" }
const context: ViewContext = { formats: formatsFor("pt-BR"), links, heading: 1, isLive: false }
const shown = (state: Partial<CheckoutState>, at = now, more: Partial<ViewContext> = {}) => {
  const parts = checkoutParts(
    { ...pending, brCode: state.status === undefined ? pending.brCode : undefined, ...state },
    at,
    { ...context, ...more },
  )
  return Object.fromEntries(Object.entries(parts).map(([name, { text }]) => [name, text])) as Record<
    keyof typeof parts,
    string
  >
}

describe("the view", () => {
  it("escapes what comes from outside", () => {
    expect(shown({}).head).toContain("Loja &lt;b&gt;&amp;")
  })

  it("shows the amount due with its parts, and none for an amount without any", () => {
    expect(shown({}).head).toContain("R$ 97,00")
    expect(shown({}).details).toMatch(
      /Abatimento<\/dt><dd>− R\$ 1,00.*Desconto<\/dt><dd>− R\$ 2,00.*Total hoje, 01\/03\/2027/s,
    )
    expect(shown({ amounts: { ...amounts, abatementCents: 0, discountCents: 0 } }).details).not.toContain("Total")
  })

  it("has a copy button for scripts only, and the code for all", () => {
    expect(shown({}).main).toContain("data-copy hidden>")
    expect(shown({}, now, { isLive: true }).main).toContain("data-copy>")
    expect(shown({}).main).toContain(">000201-code</textarea>")
  })

  it("counts down where a script does, and names the moment elsewhere", () => {
    expect(shown({}).clock).toBe("Expira em 01/03/2027 12:10")
    expect(shown({}, now, { isLive: true }).clock).toBe('Expira em <time role="timer">10:00</time>')
  })

  it("expires by the clock alone, a millisecond after the promised moment", () => {
    expect(shown({}, pending.payableUntil).main).toContain("textarea")
    const late = shown({}, pending.payableUntil + 1)
    expect(late.head).toContain("Pix expirado")
    expect(late.main).not.toContain("textarea")
    expect(late.clock).toBe("")
  })

  it("says of an open charge that it waits for the payment", () => {
    expect(shown({}).status).toBe("Aguardando pagamento")
  })

  it("offers a new code where the host makes one, and says whom to ask elsewhere", () => {
    expect(shown({ status: "expired", canRenew: true }).main).toContain('action="renew"')
    expect(shown({ status: "expired" }).main).toContain("peça um novo código")
  })

  it.each([
    ["paid", { payment }, "Recebemos R$ 97,00 em 01/03/2027 12:00. Obrigado!"],
    ["refunding", { payment }, "R$ 97,00 estão voltando"],
    ["refunded", { payment, returnedCents: 9700, refundedAt: now }, "R$ 97,00 voltaram em 01/03/2027 12:00"],
    ["refunded", { payment, returnedCents: 9700 }, "R$ 97,00 voltaram à conta"],
    ["cancelled", {}, "Quem emitiu esta cobrança a cancelou."],
  ] as const)("says of a charge that is %s what became of it", (status, facts, text) => {
    expect(shown({ status, ...facts }).status).toContain(text)
    expect(shown({ status, ...facts }).details).toBe("")
  })

  it("says of a paid charge that it was late, and what went back", () => {
    const { main } = shown({ status: "paid", payment: { ...payment, isLate: true }, returnedCents: 500 })
    expect(main).toContain("depois do prazo")
    expect(main).toContain("R$ 5,00 já foram devolvidos")
    expect(main).toContain('href="receipt"')
  })
})

it.each([
  [-1, "00:00"],
  [59_999, "00:59"],
  [599_000, "09:59"],
  [3_599_999, "59:59"],
  [3_600_000, "1 h 00 min"],
  [172_799_999, "47 h 59 min"],
  [172_800_000, "2 dias"],
])("the clock shows %i ms as %s", (ms, text) => {
  expect(clockText(ms)).toBe(text)
})

it("warns in the last minute", () => {
  expect([60_001, 60_000, 1, 0].map((ms) => warningText(ms) !== "")).toEqual([false, true, true, false])
})

it("browsers write amounts and moments as the server does", () => {
  const server = formatsFor("pt-BR")
  for (const cents of [0, 1, 99, 100, 123_456, 999_999_999_999])
    expect(browserFormats.reais(cents)).toBe(server.reais(cents))
  for (const at of [0, now, Date.UTC(2018, 10, 4, 2, 59), Date.UTC(2018, 10, 4, 3), Date.UTC(2026, 0, 1, 2, 5)]) {
    expect(browserFormats.dateTime(at)).toBe(server.dateTime(at))
    expect(browserFormats.date(at)).toBe(server.date(at))
  }
  expect(browserFormats.day("2027-03-06")).toBe(server.day("2027-03-06"))
})

it.each([
  ["/pagar/cap", "./", "./cap"],
  ["/pagar/cap?a=/b", "./", "./cap"],
  ["/pagar/cap/", "./../", "./../cap"],
  ["/pagar/cap/comprovante", "./../", "./../cap"],
  ["/pagar", "./pagar/", "./pagar/"],
])("from %s the way to all is %s, and to the link %s", (url, root, link) => {
  expect(wayOf({ url } as Parameters<typeof wayOf>[0])).toEqual({ root, link })
})
