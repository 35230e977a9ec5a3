import { formatsFor } from "@pixcharge/web"
import { describe, expect, it } from "vitest"
import { browserFormats } from "../src/element/browserFormats.ts"
import { findLinks } from "../src/pages/pageParts.ts"
import { checkoutFrame } from "../src/view/checkoutFrame.ts"
import { checkoutParts } from "../src/view/checkoutParts.ts"
import type { CheckoutState } from "../src/view/CheckoutState.ts"
import { changeText, readTerms, type SeenTerms, seenTerms } from "../src/view/seenTerms.ts"
import { clockText, warningText } from "../src/view/texts.ts"
import { Markup, markup } from "../src/view/markup.ts"
import type { CheckoutParts, ViewContext } from "../src/view/ViewParts.ts"

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
  payee: { name: `Loja <b>&"'`, taxId: "12345678000195" },
  additionalInfo: [],
  amounts,
  payableUntil: now + 600_000,
  brCode: "000201-code",
  returnedCents: 0,
  canRenew: false,
}
const payment = { amountCents: 9650, paidAt: now, isLate: false }
const links = { qr: "qr", renew: "renew", receipt: "receipt" }
const context: ViewContext = { formats: formatsFor("pt-BR"), links, isEmbedded: false, isLive: false }
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

const words = (html: string): ReadonlyArray<string> =>
  html
    .split(/<[^>]*>/)
    .map((text) => text.trim())
    .filter((text) => text !== "")

describe("the view", () => {
  it("escapes the payee's name and other strings", () => {
    expect(words(shown({}).head).slice(3)).toEqual([
      "Recebedor",
      "Loja &lt;b&gt;&amp;&quot;&#39;",
      "CNPJ 12.345.678/0001-95",
    ])
    expect(markup`<i>${["&", markup`<b>`, undefined, false, "a"]}</i>`.text).toBe("<i>&amp;<b>a</i>")
  })

  it("shows the original amount, the changes and the total of the amount due", () => {
    expect(shown({}).head).toContain("R$ 97,00")
    const until = ["Pague até", "01/03/2027 às 12:10, horário de Brasília"]
    const less = ["Valor original", "R$ 100,00", "Abatimento", "− R$ 1,00", "Desconto", "− R$ 2,00"]
    expect(words(shown({}).details)).toEqual([...less, "Total hoje, 01/03/2027", "R$ 97,00", ...until])
    const late = {
      ...amounts,
      abatementCents: 0,
      discountCents: 0,
      interestCents: 30,
      fineCents: 4,
      totalCents: 10_034,
    }
    const more = ["Valor original", "R$ 100,00", "Juros", "+ R$ 0,30", "Multa", "+ R$ 0,04"]
    expect(words(shown({ status: "expired", amounts: late }).details)).toEqual([
      ...more,
      "Total",
      "R$ 100,34",
      ...until,
    ])
    expect(words(shown({ amounts: { ...amounts, abatementCents: 0, discountCents: 0 } }).details)).toEqual(until)
  })

  it("shows the due date, and the business day that replaces it", () => {
    const dueDate = "2027-03-06"
    expect(words(shown({ dueDate }).details).slice(-4, -2)).toEqual(["Vencimento", "06/03/2027"])
    expect(shown({ dueDate, movedDueDate: dueDate }).details).toBe(shown({ dueDate }).details)
    expect(words(shown({ dueDate, movedDueDate: "2027-03-08" }).details).slice(-4, -2)).toEqual([
      "Vencimento",
      "06/03/2027: passa para 08/03/2027, o próximo dia útil",
    ])
  })

  it("shows the description in every state, escaped", () => {
    const texts = { description: "Pedido <1042>", additionalInfo: [{ name: "Nota", value: "nº <7>" }] }
    for (const state of [{}, { status: "paid", payment }, { status: "cancelled" }] as const) {
      const { head, details } = shown({ ...state, ...texts })
      expect(words(head)[1]).toBe("Pedido &lt;1042&gt;")
      expect(words(details).slice(0, 2)).toEqual(["Nota", "nº &lt;7&gt;"])
    }
    expect(shown({}).head).not.toContain("about")
  })

  it("opens links in a new tab only if a shop's page embeds it", () => {
    const newTab = 'target="_blank" rel="noopener"'
    const receipt = (isEmbedded: boolean) => shown({ status: "paid", payment }, now, { isEmbedded }).main
    expect([receipt(true).includes(newTab), receipt(false).includes(newTab)]).toEqual([true, false])
  })

  it("always has the code, and shows the copy button only with a script", () => {
    expect(shown({}).main).toContain("data-copy hidden>")
    expect(shown({}, now, { isLive: true }).main).toContain("data-copy>")
    expect(shown({}).main).toContain(">000201-code</textarea>")
    expect(words(shown({}).main)).toEqual([
      "Pix Copia e Cola",
      "Copiar código Pix",
      "Código Pix",
      "000201-code",
      "QR Code",
      "Aponte a câmera do app do seu banco para o código.",
      "Como pagar",
      "Abra o app do seu banco.",
      "Escolha Pix e depois Pix Copia e Cola ou Ler QR Code.",
      "Cole o código ou leia o QR Code, confira o valor e o recebedor e confirme o pagamento.",
    ])
  })

  it("has section headings one level below its title, on the hosted page and embedded", () => {
    const levels = (isEmbedded: boolean) => {
      const { head, main } = shown({}, now, { isEmbedded })
      return Array.from(`${head}${main}`.matchAll(/<h(\d)(?: tabindex="-1")?>[^<]+<\/h\1>/g), ([, level]) => level)
    }
    expect([levels(false), levels(true)]).toEqual([
      ["1", "2", "2", "2"],
      ["2", "3", "3", "3"],
    ])
  })

  it("warns only in the last minute of a payable charge", () => {
    const last = pending.payableUntil - 60_000
    expect([shown({}, last - 1).warning, shown({ status: "paid", payment }, last).warning]).toEqual(["", ""])
    expect(shown({}, last).warning).toContain("Falta menos de um minuto.")
  })

  it("counts down with a script, and shows the time of the expiry without a script", () => {
    expect(shown({}).clock).toBe("Expira em 01/03/2027 às 12:10")
    expect(shown({}, now, { isLive: true }).clock).toBe('Expira em <time role="timer">10:00</time>')
  })

  it("shows the expiry a millisecond after `payableUntil`, without a new state", () => {
    expect(shown({}, pending.payableUntil).main).toContain("textarea")
    const late = shown({}, pending.payableUntil + 1)
    expect(late.head).toContain("Pix expirado")
    expect(late.main).not.toContain("textarea")
    expect(late.clock).toBe("")
    expect(shown({ status: "paid", payment }, pending.payableUntil + 1).head).toContain("Pagamento confirmado")
  })

  it("says that a payable charge waits for the payment", () => {
    expect(shown({}).status).toBe("Aguardando pagamento")
  })

  it("offers a new code if the host can issue one, and otherwise says whom to ask", () => {
    const { main } = shown({ status: "expired", canRenew: true })
    const paid = "Já pagou? Não pague de novo: a confirmação aparece aqui assim que o banco avisar."
    expect(main).toContain('action="renew"')
    expect(words(main)).toEqual(["Gerar novo código", "O novo código tem o mesmo valor e um novo prazo.", paid])
    expect(words(shown({ status: "expired" }).main)).toEqual(["Peça um novo código a quem enviou a cobrança.", paid])
  })

  it.each([
    ["paid", { payment }, "Pagamento confirmado", "Recebemos R$ 96,50 em 01/03/2027 às 12:00. Obrigado!"],
    [
      "refunding",
      { payment },
      "Devolução em andamento",
      "R$ 96,50 estão sendo devolvidos à conta de origem. Você não precisa fazer nada.",
    ],
    [
      "refunding",
      { payment: { ...payment, amountCents: 100 } },
      "Devolução em andamento",
      "R$ 1,00 está sendo devolvido à conta de origem. Você não precisa fazer nada.",
    ],
    [
      "refunded",
      { payment, returnedCents: 9600, refundedAt: now },
      "Pagamento devolvido",
      "R$ 96,00 foram devolvidos em 01/03/2027 às 12:00 à conta de origem.",
    ],
    [
      "refunded",
      { payment, returnedCents: 9600 },
      "Pagamento devolvido",
      "R$ 96,00 foram devolvidos à conta de origem.",
    ],
    ["refunded", { payment, returnedCents: 1 }, "Pagamento devolvido", "R$ 0,01 foi devolvido à conta de origem."],
    ["cancelled", {}, "Cobrança cancelada", "Esta cobrança foi cancelada por quem a emitiu. Não use mais este código."],
    ["expired", {}, "Pix expirado", "O prazo para pagar terminou em 01/03/2027 às 12:10. Não use mais este código."],
    ["pending", {}, "Pague com Pix", "Aguardando pagamento"],
  ] as const)("explains the state of a charge that is %s", (status, facts, title, text) => {
    const { head, status: statusLine, details, main, clock } = shown({ status, ...facts })
    const paidCents = "payment" in facts ? facts.payment.amountCents : undefined
    const amount =
      paidCents === undefined ? ["Valor cobrado", "R$ 97,00"] : ["Valor pago", formatsFor("pt-BR").reais(paidCents)]
    expect(words(head).slice(0, 3)).toEqual([title, ...(status === "pending" ? ["Valor a pagar", "R$ 97,00"] : amount)])
    expect(statusLine.startsWith(text)).toBe(true)
    const isOpen = status === "pending" || status === "expired"
    expect([head.includes("<svg"), details === "", clock === ""]).toEqual([
      status === "paid",
      !isOpen,
      status !== "pending",
    ])
    if (!isOpen) expect(words(main)).toEqual("payment" in facts ? ["Ver comprovante"] : [])
    expect(main.includes('<slot name="paid">')).toBe(status === "paid")
  })

  it("says that the payment was late, and how much of it was returned", () => {
    const late = { payment: { ...payment, isLate: true }, returnedCents: 500 }
    const { main } = shown({ status: "paid", ...late })
    const wasLate = "O pagamento chegou depois do prazo e foi aceito. Não pague de novo."
    const receipt = "Ver comprovante"
    expect(words(main)).toEqual([wasLate, "R$ 5,00 já foram devolvidos à conta de origem.", receipt])
    expect(main).toContain('href="receipt"')
    expect(words(shown({ status: "refunding", ...late }).main)).toEqual([wasLate, receipt])
  })
})

it("frames every part, and has the status `loading` and no id before the first state", () => {
  const names = ["head", "status", "clock", "warning", "main", "details"] as const
  const parts = Object.fromEntries(names.map((name) => [name, new Markup(name)])) as CheckoutParts
  const whole = checkoutFrame(
    parts,
    { id: "7", status: "paid" },
    { top: "top", between: "between", bottom: "bottom" },
  ).text
  expect(words(whole)).toEqual(["top", "head", "status", "clock", "warning", "between", "main", "details", "bottom"])
  expect(whole).toContain('data-status="paid" data-id="7"')
  expect(checkoutFrame(parts, undefined).text).toContain('data-status="loading" data-id=""')
})

it("keeps the terms of an open charge in the frame, and has a place for their change", () => {
  const parts = checkoutParts(pending, now, context)
  const frame = checkoutFrame(parts, pending, { terms: seenTerms(pending) }).text
  const [, kept = ""] = /data-terms="([^"]*)"/.exec(frame) ?? []
  expect(readTerms(kept.replaceAll("&quot;", '"'))).toEqual({
    amountCents: 10_000,
    payableUntil: now + 600_000,
    brCode: "000201-code",
  })
  expect(frame).toContain('<p class="warning" role="status" data-part="change"></p>')
  expect(readTerms(/data-terms="([^"]*)"/.exec(checkoutFrame(parts, undefined).text)?.[1])).toBeUndefined()
  expect(seenTerms({ ...pending, status: "expired" })).toBeUndefined()
})

const again = "Se você já copiou ou leu o código, copie ou leia de novo."

it.each<[SeenTerms, string]>([
  [{ amountCents: 1, payableUntil: now, brCode: "a" }, ""],
  [{ amountCents: 2, payableUntil: now, brCode: "a" }, `O valor mudou de R$ 0,01 para R$ 0,02. ${again}`],
  [{ amountCents: 1, payableUntil: now, brCode: "b" }, `O código Pix mudou. ${again}`],
  [
    { amountCents: 1, payableUntil: now + 60_000, brCode: "b" },
    `O novo prazo para pagar é 01/03/2027 às 12:01. ${again}`,
  ],
  [
    { amountCents: 2, payableUntil: now + 60_000, brCode: "b" },
    `O valor mudou de R$ 0,01 para R$ 0,02. O novo prazo para pagar é 01/03/2027 às 12:01. ${again}`,
  ],
])("tells the payer of changed terms: %j", (after, text) => {
  const before: SeenTerms = { amountCents: 1, payableUntil: now, brCode: "a" }
  expect(changeText(before, after, context.formats)).toBe(text)
})

it("names a new due date instead of the end that moves with it", () => {
  const before: SeenTerms = { amountCents: 1, dueDate: "2027-03-06", payableUntil: now, brCode: "a" }
  expect(changeText(before, { ...before, dueDate: "2027-03-10", payableUntil: now + 1 }, context.formats)).toBe(
    `O vencimento mudou de 06/03/2027 para 10/03/2027. ${again}`,
  )
  expect(changeText(before, { ...before, payableUntil: now + 60_000 }, context.formats)).toBe(
    `O novo prazo para pagar é 01/03/2027 às 12:01. ${again}`,
  )
})

it.each([
  [-1, "00:00"],
  [59_999, "00:59"],
  [599_000, "09:59"],
  [3_599_999, "59:59"],
  [3_600_000, "1 h 00 min"],
  [9_300_000, "2 h 35 min"],
  [172_799_999, "47 h 59 min"],
  [172_800_000, "2 dias"],
  [345_600_000, "4 dias"],
])("shows %i ms on the clock as %s", (ms, text) => {
  expect(clockText(ms)).toBe(text)
})

it("warns in the last minute", () => {
  expect([60_001, 60_000, 1, 0].map((ms) => warningText(ms) !== "")).toEqual([false, true, true, false])
})

it("formats amounts and times in the browser as on the server", () => {
  const server = formatsFor("pt-BR")
  for (const cents of [0, 1, 99, 100, 123_456, 999_999_999_999])
    expect(browserFormats.reais(cents)).toBe(server.reais(cents))
  for (const at of [0, now, Date.UTC(2018, 10, 4, 2, 59), Date.UTC(2018, 10, 4, 3), Date.UTC(2026, 0, 1, 2, 5)]) {
    expect(browserFormats.moment(at)).toBe(server.moment(at))
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
  ["//pagar", "./pagar/", "./pagar/"],
  ["/pagar/", "./", "./"],
  ["//pagar//cap/qr.svg", "./../../", "./../../cap"],
  [`/pagar/cap/${"a/".repeat(40)}`, `./${"../".repeat(16)}`, `./${"../".repeat(16)}cap`],
])("finds for the path %s the root %s and the link %s", (url, root, link) => {
  expect(findLinks({ url } as Parameters<typeof findLinks>[0])).toEqual({ root, link })
})
