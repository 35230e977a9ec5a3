import {
  type LedgerPayment,
  type LedgerReturn,
  parseCents,
  instant,
  instantPaymentId,
  returnedCents,
} from "./Ledger.ts"
import { paymentBody, returnBody } from "./bodies.ts"
import type { Bank } from "./chargeRoutes.ts"
import { problem, type BankAnswer } from "./problems.ts"
import type { BankAccount, BankWays } from "./BankOptions.ts"

/** Brasília has kept UTC-3 since 2019. */
const brasiliaBehindMs = 3 * 3_600_000
const returnWindowMs = 90 * 24 * 3_600_000

const ofAccount = ({ ledger }: Bank, account: BankAccount, endToEndId: string): LedgerPayment | undefined => {
  const payment = ledger.payments.get(endToEndId)
  return payment?.account === account ? payment : undefined
}

/** `GET /pix/{e2eid}`. */
export const getPayment = (bank: Bank, account: BankAccount, endToEndId: string): BankAnswer => {
  const payment = ofAccount(bank, account, endToEndId)
  return payment === undefined
    ? problem(404, "PixNaoEncontrado", "no payment with this endToEndId")
    : { status: 200, body: paymentBody(payment) }
}

const pageNumber = (query: URLSearchParams, name: string, whenAbsent: number): number =>
  Number(query.get(`paginacao.${name}`) ?? whenAbsent)

/** What a list says of its pages, in this bank's way. */
const countsOfPages = ({ pageCounts }: BankWays, total: number, size: number, onPage: number) => {
  const pages = Math.max(1, Math.ceil(total / size))
  switch (pageCounts) {
    case "right":
      return { quantidadeDePaginas: pages, quantidadeTotalDeItens: total }
    case "roundedDown":
      return { quantidadeDePaginas: Math.floor(total / size), quantidadeTotalDeItens: total }
    case "none":
      return { quantidadeDePaginas: 0, quantidadeTotalDeItens: 0 }
    case "ofThisPage":
      return { quantidadeDePaginas: 1, quantidadeTotalDeItens: onPage }
  }
}

/** Which page, counted from 0, comes for the one that is asked for; undefined where it is refused. */
const pageGiven = ({ firstPage, pagesBeyond }: BankWays, asked: number, pages: number): number | undefined => {
  const page = asked - firstPage
  if (page >= 0 && page < pages) return page
  if (pagesBeyond === "refused") return undefined
  return pagesBeyond === "lastPage" ? Math.min(Math.max(0, page), pages - 1) : Math.max(0, page)
}

/** `GET /pix`. */
export const listPayments = (
  bank: Bank,
  account: BankAccount,
  query: URLSearchParams,
  pageSize: number,
): BankAnswer => {
  const from = Date.parse(query.get("inicio") ?? "")
  const to = Date.parse(query.get("fim") ?? "")
  if (Number.isNaN(from) || Number.isNaN(to) || to < from) {
    return problem(400, "PixConsultaInvalida", "inicio and fim are wrong", "pix.inicio")
  }
  if (bank.ways.refusesPeriod?.(from, to) === true) {
    return problem(400, "PixConsultaInvalida", "the period is too long", "pix.fim")
  }
  const lateMs = bank.ways.listsBrasiliaAsUtc ? brasiliaBehindMs : 0
  if (to > bank.now() && !bank.ways.listsTheFuture) {
    return problem(400, "PixConsultaInvalida", "fim is yet to come", "pix.fim")
  }
  const page = pageNumber(query, "paginaAtual", 0)
  const size = Math.min(pageNumber(query, "itensPorPagina", 100), pageSize)
  const txid = query.get("txid")
  const isReturned = query.get("devolucaoPresente")
  const found = [...bank.ledger.payments.values()].filter(
    (payment) =>
      payment.account === account &&
      payment.paidAt - lateMs >= from &&
      payment.paidAt - lateMs <= to &&
      (txid === null || bank.ways.ignoresTxid || payment.txid === txid) &&
      (isReturned === null || String(payment.returns.length > 0) === isReturned),
  )
  const given = pageGiven(bank.ways, page, Math.max(1, Math.ceil(found.length / size)))
  if (given === undefined) return problem(400, "PixConsultaInvalida", "there is no such page", "paginacao.paginaAtual")
  const items = found.toSorted((a, b) => a.paidAt - b.paidAt).slice(given * size, (given + 1) * size)
  const counts = countsOfPages(bank.ways, found.length, size, items.length)
  const paginacao = { paginaAtual: page, itensPorPagina: size, ...counts }
  return {
    status: 200,
    body: { parametros: { inicio: instant(from), fim: instant(to), paginacao }, pix: items.map(paymentBody) },
  }
}

const flawOfReturn = (bank: Bank, payment: LedgerPayment, body: unknown): string | undefined => {
  const valor = typeof body === "object" && body !== null && "valor" in body ? String(body.valor) : ""
  if (!/^\d{1,10}\.\d{2}$/.test(valor) || parseCents(valor) === 0) return "valor"
  if (returnedCents(payment) + parseCents(valor) > payment.cents) return "more than was paid would go back"
  if (bank.now() > payment.paidAt + returnWindowMs) return "more than 90 days have passed"
  return undefined
}

/** Settles a return, or says that it can't be. */
export const settleReturn = (row: LedgerReturn, how: "returned" | "rejected", at: number): void => {
  row.status = how === "returned" ? "DEVOLVIDO" : "NAO_REALIZADO"
  if (how === "returned") row.settledAt = at
  else row.reason = "the payer's account is closed"
}

/** `PUT /pix/{e2eid}/devolucao/{id}`. */
export const putReturn = (
  bank: Bank,
  account: BankAccount,
  endToEndId: string,
  id: string,
  body: unknown,
): BankAnswer => {
  const payment = ofAccount(bank, account, endToEndId)
  if (payment === undefined) return problem(404, "PixNaoEncontrado", "no payment with this endToEndId")
  if (!/^[a-zA-Z0-9]{1,35}$/.test(id)) return problem(400, "RequisicaoInvalida", "the id is malformed", "id")
  const known = payment.returns.find((row) => row.id === id)
  if (known !== undefined) {
    return bank.ways.repeatedReturn === "repeats"
      ? { status: 201, body: returnBody(known) }
      : problem(400, "PixDevolucaoInvalida", "the id is taken", "devolucao.id")
  }
  const flaw = flawOfReturn(bank, payment, body)
  if (flaw !== undefined) return problem(400, "PixDevolucaoInvalida", flaw, "devolucao.valor")
  const askedAt = bank.now()
  const row: LedgerReturn = {
    id,
    rtrId: instantPaymentId("D", askedAt),
    cents: parseCents((body as { valor: string }).valor),
    nature: "ORIGINAL",
    askedAt,
    status: "EM_PROCESSAMENTO",
  }
  if (bank.ways.returnPace === "atOnce") settleReturn(row, "returned", askedAt)
  payment.returns.push(row)
  return { status: 201, body: returnBody(row) }
}

/** `GET` of the same; a look-up settles what is still under way, unless the test settles it. */
export const getReturn = (bank: Bank, account: BankAccount, endToEndId: string, id: string): BankAnswer => {
  const row = ofAccount(bank, account, endToEndId)?.returns.find((one) => one.id === id)
  if (row === undefined) return problem(404, "PixDevolucaoNaoEncontrada", "no return with this id")
  if (row.status === "EM_PROCESSAMENTO" && bank.ways.returnPace === "onNextLook")
    settleReturn(row, "returned", bank.now())
  return { status: 200, body: returnBody(row) }
}
