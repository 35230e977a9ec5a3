import { type BookedPayment, type BookedReturn, centsOf, instant, instantPaymentId, returnedCents } from "./Books.ts"
import { paymentBody, returnBody } from "./bodies.ts"
import type { Desk } from "./chargeRoutes.ts"
import { problem, type PspAnswer } from "./problems.ts"
import type { PspAccount } from "./PspOptions.ts"

const returnWindowMs = 90 * 24 * 3_600_000

const ofAccount = ({ books }: Desk, account: PspAccount, endToEndId: string): BookedPayment | undefined => {
  const payment = books.payments.get(endToEndId)
  return payment?.account === account ? payment : undefined
}

/** `GET /pix/{e2eid}`. */
export const getPayment = (desk: Desk, account: PspAccount, endToEndId: string): PspAnswer => {
  const payment = ofAccount(desk, account, endToEndId)
  return payment === undefined
    ? problem(404, "PixNaoEncontrado", "no payment with this endToEndId")
    : { status: 200, body: paymentBody(payment) }
}

const pageNumber = (query: URLSearchParams, name: string, whenAbsent: number): number =>
  Number(query.get(`paginacao.${name}`) ?? whenAbsent)

/** `GET /pix`. */
export const listPayments = (desk: Desk, account: PspAccount, query: URLSearchParams, pageSize: number): PspAnswer => {
  const from = Date.parse(query.get("inicio") ?? "")
  const to = Date.parse(query.get("fim") ?? "")
  if (Number.isNaN(from) || Number.isNaN(to) || to < from) {
    return problem(400, "PixConsultaInvalida", "inicio and fim are wrong", "pix.inicio")
  }
  const page = pageNumber(query, "paginaAtual", 0)
  const size = Math.min(pageNumber(query, "itensPorPagina", 100), pageSize)
  const txid = query.get("txid")
  const isReturned = query.get("devolucaoPresente")
  const found = [...desk.books.payments.values()].filter(
    (payment) =>
      payment.account === account &&
      payment.paidAt >= from &&
      payment.paidAt <= to &&
      (txid === null || payment.txid === txid) &&
      (isReturned === null || String(payment.returns.length > 0) === isReturned),
  )
  const items = found.toSorted((a, b) => a.paidAt - b.paidAt).slice(page * size, (page + 1) * size)
  const paginacao = {
    paginaAtual: page,
    itensPorPagina: size,
    quantidadeDePaginas: Math.max(1, Math.ceil(found.length / size)),
    quantidadeTotalDeItens: found.length,
  }
  return {
    status: 200,
    body: { parametros: { inicio: instant(from), fim: instant(to), paginacao }, pix: items.map(paymentBody) },
  }
}

const flawOfReturn = (desk: Desk, payment: BookedPayment, body: unknown): string | undefined => {
  const valor = typeof body === "object" && body !== null && "valor" in body ? String(body.valor) : ""
  if (!/^\d{1,10}\.\d{2}$/.test(valor) || centsOf(valor) === 0) return "valor"
  if (returnedCents(payment) + centsOf(valor) > payment.cents) return "more than was paid would go back"
  if (desk.now() > payment.paidAt + returnWindowMs) return "more than 90 days have passed"
  return undefined
}

/** Settles a return, or says that it can't be. */
export const settleReturn = (row: BookedReturn, how: "returned" | "rejected", at: number): void => {
  row.status = how === "returned" ? "DEVOLVIDO" : "NAO_REALIZADO"
  if (how === "returned") row.settledAt = at
  else row.reason = "the payer's account is closed"
}

/** `PUT /pix/{e2eid}/devolucao/{id}`. */
export const putReturn = (
  desk: Desk,
  account: PspAccount,
  endToEndId: string,
  id: string,
  body: unknown,
): PspAnswer => {
  const payment = ofAccount(desk, account, endToEndId)
  if (payment === undefined) return problem(404, "PixNaoEncontrado", "no payment with this endToEndId")
  if (!/^[a-zA-Z0-9]{1,35}$/.test(id)) return problem(400, "RequisicaoInvalida", "the id is malformed", "id")
  const known = payment.returns.find((row) => row.id === id)
  if (known !== undefined) {
    return desk.ways.repeatedReturn === "repeats"
      ? { status: 201, body: returnBody(known) }
      : problem(400, "PixDevolucaoInvalida", "the id is taken", "devolucao.id")
  }
  const flaw = flawOfReturn(desk, payment, body)
  if (flaw !== undefined) return problem(400, "PixDevolucaoInvalida", flaw, "devolucao.valor")
  const askedAt = desk.now()
  const row: BookedReturn = {
    id,
    rtrId: instantPaymentId("D", askedAt),
    cents: centsOf((body as { valor: string }).valor),
    nature: "ORIGINAL",
    askedAt,
    status: "EM_PROCESSAMENTO",
  }
  if (desk.ways.returnPace === "atOnce") settleReturn(row, "returned", askedAt)
  payment.returns.push(row)
  return { status: 201, body: returnBody(row) }
}

/** `GET` of the same; looking settles what is still under way, unless it is settled by hand. */
export const getReturn = (desk: Desk, account: PspAccount, endToEndId: string, id: string): PspAnswer => {
  const row = ofAccount(desk, account, endToEndId)?.returns.find((one) => one.id === id)
  if (row === undefined) return problem(404, "PixDevolucaoNaoEncontrada", "no return with this id")
  if (row.status === "EM_PROCESSAMENTO" && desk.ways.returnPace === "onNextLook")
    settleReturn(row, "returned", desk.now())
  return { status: 200, body: returnBody(row) }
}
