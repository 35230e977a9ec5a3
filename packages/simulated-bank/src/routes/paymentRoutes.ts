import type { Cents } from "@pixcharge/core/money"
import type { Cnpj } from "@pixcharge/core/party"
import * as Predicate from "effect/Predicate"
import type { Bank } from "../bank/Bank.ts"
import type { ReturnAnswer } from "../bank/Returns.ts"
import { chargeKey, type LedgerPayment } from "../ledger/Ledger.ts"
import { parseCents } from "../ledger/apiValues.ts"
import { type BankAnswer, problem } from "../wire/BankRequest.ts"
import { paymentBody, returnBody } from "../wire/bodies.ts"
import { fields } from "../wire/json.ts"
import type { BankCall, Routes } from "./BankCall.ts"
import { answerList } from "./listPages.ts"

/** Brasília has kept UTC-3 since 2019. */
const brasiliaBehindMs = 3 * 3_600_000

const noPayment = problem(404, "PixNaoEncontrado", "no payment with this endToEndId")

const getPayment = ({ bank, account, id: endToEndId }: BankCall): BankAnswer => {
  const payment = bank.getPayment(account.cnpj as Cnpj, endToEndId)
  return payment === undefined ? noPayment : { status: 200, body: paymentBody(payment) }
}

/** The payer that the payment's charge names: payments name no payer. */
const payerOf = ({ ledger }: Bank, { issuer, txid = "" }: LedgerPayment) =>
  fields(ledger.charges.get(chargeKey(issuer, txid))?.terms.body?.devedor)

const listPayments = (call: BankCall): BankAnswer => {
  const { bank, account, query } = call
  const { ways } = bank
  const txid = ways.ignoresTxid ? null : query.get("txid")
  const [hasTxid, isReturned] = ["txIdPresente", "devolucaoPresente"].map((name) => query.get(name))
  const isBy = (payment: LedgerPayment, name: "cpf" | "cnpj"): boolean =>
    !query.has(name) || query.get(name) === payerOf(bank, payment)[name]
  return answerList(call, {
    kind: "PixConsultaInvalida",
    resource: "pix",
    items: "pix",
    find: ({ from, to }) =>
      bank
        .findPayments(account.cnpj as Cnpj, {
          from: from + (ways.listsBy === "utc" ? 0 : brasiliaBehindMs),
          until: to + (ways.listsBy === "brasilia" ? brasiliaBehindMs : 0) + 1,
          ...(txid !== null && { txid }),
          ...(hasTxid && { hasTxid: hasTxid === "true" }),
          ...(isReturned && { isReturned: isReturned === "true" }),
        })
        .filter((payment) => isBy(payment, "cpf") && isBy(payment, "cnpj")),
    write: paymentBody,
  })
}

/** The cents of a requested return; undefined if the amount is invalid. */
const requestedCents = (body: unknown): Cents | undefined => {
  const valor = Predicate.hasProperty(body, "valor") ? String(body.valor) : ""
  return /^\d{1,10}\.\d{2}$/.test(valor) && parseCents(valor) !== 0 ? parseCents(valor) : undefined
}

/** The description of a requested return: empty if it has none, undefined if it is invalid. */
const requestedDescription = (body: unknown): { readonly description?: string } | undefined => {
  if (!Predicate.hasProperty(body, "descricao")) return {}
  const { descricao } = body
  return typeof descricao === "string" && descricao.length <= 140 ? { description: descricao } : undefined
}

/** True if the return has the nature of an ordinary payment. Only cash payments have other natures. */
const hasNature = (body: unknown): boolean => ["ORIGINAL", undefined].includes(fields(body)["natureza"] as string)

const putReturn = async ({ bank, account, id: endToEndId, partId: id, readBody }: BankCall): Promise<BankAnswer> => {
  const body = readBody()
  const issuer = account.cnpj as Cnpj
  if (bank.getPayment(issuer, endToEndId) === undefined) return noPayment
  if (!/^[a-zA-Z0-9]{1,35}$/.test(id)) return problem(400, "RequisicaoInvalida", "the id is malformed", "id")
  const amountCents = requestedCents(body)
  if (amountCents === undefined) return problem(400, "PixDevolucaoInvalida", "valor", "devolucao.valor")
  if (!hasNature(body)) return problem(400, "PixDevolucaoInvalida", "natureza", "devolucao.natureza")
  const description = requestedDescription(body)
  if (description === undefined) return problem(400, "PixDevolucaoInvalida", "descricao", "devolucao.descricao")
  const order = { issuer, endToEndId, id, amountCents, ...description }
  const result = await new Promise<ReturnAnswer | undefined>((answer) => bank.returns.put(order, answer))
  if (result === undefined) return noPayment
  if (result._tag === "Return") return { status: 201, body: returnBody(result.returned) }
  const { reason, property, isConflict } = result
  return problem(isConflict ? 409 : 400, "PixDevolucaoInvalida", reason, property)
}

const getReturn = ({ bank, account, id: endToEndId, partId: id }: BankCall): BankAnswer => {
  const row = bank.returns.get(account.cnpj as Cnpj, endToEndId, id)
  return row === undefined
    ? problem(404, "PixDevolucaoNaoEncontrada", "no return with this id")
    : { status: 200, body: returnBody(row) }
}

export const paymentRoutes: Routes = {
  "GET pix": listPayments,
  "GET pix {id}": getPayment,
  "PUT pix {id} devolucao": putReturn,
  "GET pix {id} devolucao": getReturn,
}
