import { type LedgerCharge, type Ledger, chargeKey, type ChargeTermsBody, randomText } from "./Ledger.ts"
import { chargeBody, codeFor } from "./bodies.ts"
import { problem, type BankAnswer } from "./problems.ts"
import type { BankAccount, BankWays } from "./BankOptions.ts"

/** What the routes work with. */
export interface Bank {
  readonly ledger: Ledger
  readonly ways: BankWays
  readonly now: () => number
}

type Kind = LedgerCharge["kind"]

const operationInvalid = (kind: Kind, detail: string, property: string) =>
  problem(400, kind === "cob" ? "CobOperacaoInvalida" : "CobVOperacaoInvalida", detail, `${kind}.${property}`)

const notFound = (kind: Kind) =>
  problem(404, kind === "cob" ? "CobNaoEncontrado" : "CobVNaoEncontrada", "no charge with this txid")

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null

const amount = /^\d{1,10}\.\d{2}$/
const day = /^\d{4}-\d{2}-\d{2}$/

const isDebtor = (value: unknown): boolean =>
  isObject(value) &&
  typeof value["nome"] === "string" &&
  ("cpf" in value ? /^\d{11}$/.test(String(value["cpf"])) : /^[0-9A-Z]{14}$/.test(String(value["cnpj"])))

const isShort = (value: unknown, longest: number): boolean => typeof value === "string" && value.length <= longest

const isInfo = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length <= 50 &&
  value.every((entry) => isObject(entry) && isShort(entry["nome"], 50) && isShort(entry["valor"], 200))

/** The first of the texts for the payer that the API refuses. */
const findTextFlaw = ({ solicitacaoPagador: message = "", infoAdicionais: info = [] }: Record<string, unknown>) => {
  if (!isShort(message, 140)) return "solicitacaoPagador"
  return isInfo(info) ? undefined : "infoAdicionais"
}

/** The first of the API's rules that a request breaks, by its property. */
const findFlaw = (kind: Kind, body: unknown, account: BankAccount, today: string): string | undefined => {
  if (!isObject(body)) return "body"
  const { calendario, valor, chave, devedor } = body
  if (!isObject(calendario)) return "calendario"
  if (!isObject(valor) || !amount.test(String(valor["original"])) || Number(valor["original"]) === 0)
    return "valor.original"
  if (typeof chave !== "string" || !account.pixKeys.includes(chave)) return "chave"
  if (devedor === undefined ? kind === "cobv" : !isDebtor(devedor)) return "devedor"
  const textFlaw = findTextFlaw(body)
  if (textFlaw !== undefined) return textFlaw
  if (kind === "cob") return Number(calendario["expiracao"] ?? 1) > 0 ? undefined : "calendario.expiracao"
  const due = String(calendario["dataDeVencimento"])
  return day.test(due) && due >= today ? undefined : "calendario.dataDeVencimento"
}

/** The day in Brasília, which has kept UTC-3 since 2019. */
const todayAt = ({ now }: Bank): string => new Date(now() - 3 * 3_600_000).toISOString().slice(0, 10)

const txidForm = /^[a-zA-Z0-9]{26,35}$/

const create = (bank: Bank, account: BankAccount, kind: Kind, txid: string, terms: ChargeTermsBody): LedgerCharge => {
  const charge: LedgerCharge = {
    account,
    txid,
    kind,
    createdAt: bank.now() + bank.ways.creationAheadMs,
    locationId: bank.ledger.charges.size + 1,
    location: `pix.banco.invalid/qr/v2/${kind === "cobv" ? "cobv/" : ""}${randomText(32)}`,
    terms,
    revision: 0,
    status: "ATIVA",
  }
  bank.ledger.charges.set(chargeKey(account, txid), charge)
  return charge
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** `PUT /cob/{txid}` and `PUT /cobv/{txid}`. */
export const putCharge = (bank: Bank, account: BankAccount, kind: Kind, txid: string, body: unknown): BankAnswer => {
  if (!txidForm.test(txid)) return problem(400, "RequisicaoInvalida", "the txid is malformed", "txid")
  const flaw = findFlaw(kind, body, account, todayAt(bank))
  if (flaw !== undefined) return operationInvalid(kind, "breaks the schema", flaw)
  const terms = body as ChargeTermsBody
  const known = bank.ledger.charges.get(chargeKey(account, txid))
  if (known === undefined) {
    return { status: 201, body: chargeBody(create(bank, account, kind, txid, terms), bank.ledger, bank.ways) }
  }
  if (known.kind !== kind || bank.ways.putOnExisting === "refuses" || known.status !== "ATIVA") {
    return operationInvalid(kind, "the txid is taken", "txid")
  }
  if (!isSame(known.terms, terms)) {
    known.terms = terms
    known.revision += 1
  }
  return { status: 201, body: chargeBody(known, bank.ledger, bank.ways) }
}

/** `GET /cob/{txid}` and `GET /cobv/{txid}`. */
export const getCharge = (bank: Bank, account: BankAccount, kind: Kind, txid: string): BankAnswer => {
  const known = bank.ledger.charges.get(chargeKey(account, txid))
  return known?.kind === kind ? { status: 200, body: chargeBody(known, bank.ledger, bank.ways) } : notFound(kind)
}

/** `GET` of the code below the charge, at a bank that keeps it there. */
export const getCode = (bank: Bank, account: BankAccount, kind: Kind, txid: string): BankAnswer => {
  const known = bank.ledger.charges.get(chargeKey(account, txid))
  return known?.kind === kind && bank.ways.code === "ownCall"
    ? { status: 200, body: { emv: codeFor(known.location) } }
    : notFound(kind)
}

/** What is wrong with a revision: a removal comes alone, and what is named takes the place of what was. */
const flawOfRevision = (bank: Bank, known: LedgerCharge, body: Readonly<Record<string, unknown>>) => {
  if ("status" in body) return isSame(body, { status: "REMOVIDA_PELO_USUARIO_RECEBEDOR" }) ? undefined : "status"
  return findFlaw(known.kind, { ...known.terms, ...body }, known.account, todayAt(bank))
}

/** `PATCH` of the same: removes the charge, or changes what the body names. */
export const patchCharge = (bank: Bank, account: BankAccount, kind: Kind, txid: string, body: unknown): BankAnswer => {
  const known = bank.ledger.charges.get(chargeKey(account, txid))
  if (known?.kind !== kind) return notFound(kind)
  if (!isObject(body)) return operationInvalid(kind, "breaks the schema", "body")
  const flaw = flawOfRevision(bank, known, body)
  if (flaw !== undefined) return operationInvalid(kind, "breaks the schema", flaw)
  if (known.status !== "ATIVA") return operationInvalid(kind, "the charge is not active", "status")
  if ("status" in body) known.status = "REMOVIDA_PELO_USUARIO_RECEBEDOR"
  else known.terms = { ...known.terms, ...body }
  known.revision += 1
  return { status: 200, body: chargeBody(known, bank.ledger, bank.ways) }
}
