import * as Predicate from "effect/Predicate"
import type { ChargeKind } from "../ledger/Ledger.ts"
import type { BankAccount } from "./BankOptions.ts"
import { type BankAnswer, problem } from "./BankRequest.ts"
import { type Fields, fields } from "./json.ts"

/** True for a whole number in the range, even as a string, as most banks accept it. */
const isWhole = (value: unknown, min: number, max: number): boolean =>
  /^\d{1,9}$/.test(String(value)) && Number(value) >= min && Number(value) <= max

const maxSeconds = 2_147_483_647
const maxDays = 9_999

const isShort = (value: unknown, maxLength: number): boolean => typeof value === "string" && value.length <= maxLength

const contactLengths = { email: Number.POSITIVE_INFINITY, logradouro: 200, cidade: 200, uf: 2, cep: 8 }

const isDebtor = (value: unknown, kind: ChargeKind): boolean => {
  if (!Predicate.isObject(value) || !hasTaxId({ ...value }) || !isText(fields(value)["nome"], 200)) return false
  return Object.entries(contactLengths).every(([name, maxLength]) =>
    isAbsentOr(fields(value)[name], kind === "cobv" && isShort(fields(value)[name], maxLength)),
  )
}

const isInfo = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length <= 50 &&
  value.every((entry) => Predicate.isObject(entry) && isShort(entry["nome"], 50) && isShort(entry["valor"], 200))

const decimalForm = /^\d{1,10}\.\d{2}$/

const isDecimal = (value: unknown): boolean => typeof value === "string" && decimalForm.test(value)

/** The highest `modalidade` of each addition and reduction. */
const shares = { multa: 2, juros: 8, abatimento: 2 }

const isShare = (value: unknown, highest: number): boolean => {
  const { modalidade, valorPerc } = fields(value)
  return isWhole(modalidade, 1, highest) && isDecimal(valorPerc)
}

/** True for a discount until fixed days up to the due date, or for each day before the due date. */
const isDiscount = (value: unknown, due: string): boolean => {
  const { modalidade, descontoDataFixa: tiers } = fields(value)
  if (!isWhole(modalidade, 1, 2)) return isShare(value, 6)
  return (
    Array.isArray(tiers) &&
    tiers.length > 0 &&
    tiers.length <= 3 &&
    tiers.map(fields).every(({ data, valorPerc }) => isDay(data) && data <= due && isDecimal(valorPerc))
  )
}

const findTextFlaw = ({ solicitacaoPagador: message = "", infoAdicionais: info = [] }: Fields) => {
  if (!isShort(message, 140)) return "solicitacaoPagador"
  return isInfo(info) ? undefined : "infoAdicionais"
}

/** The property that breaks the first rule of due-date charges. */
const findDueDateFlaw = (calendar: Fields, value: Fields, today: string): string | undefined => {
  const { dataDeVencimento: due, validadeAposVencimento: days } = calendar
  if (!isDay(due) || due < today) return "calendario.dataDeVencimento"
  if (!isAbsentOr(days, isWhole(days, 0, maxDays))) return "calendario.validadeAposVencimento"
  const share = Object.entries(shares).find(
    ([name, highest]) => !isAbsentOr(value[name], isShare(value[name], highest)),
  )
  if (share !== undefined) return `valor.${share[0]}`
  return isAbsentOr(value["desconto"], isDiscount(value["desconto"], due)) ? undefined : "valor.desconto"
}

/** The property that breaks the first rule of a charge request. */
export const findChargeFlaw = (
  kind: ChargeKind,
  body: unknown,
  account: BankAccount,
  today: string,
): string | undefined => {
  if (!Predicate.isObject(body)) return "body"
  const { calendario, valor, chave, devedor } = fields(body)
  if (!Predicate.isObject(calendario)) return "calendario"
  if (!isAmount(fields(valor)["original"])) return "valor.original"
  if (typeof chave !== "string" || !account.pixKeys.includes(chave)) return "chave"
  if (devedor === undefined ? kind === "cobv" : !isDebtor(devedor, kind)) return "devedor"
  const textFlaw = findTextFlaw(fields(body))
  if (textFlaw !== undefined) return textFlaw
  if (kind === "cobv") return findDueDateFlaw(fields(calendario), fields(valor), today)
  const { expiracao = 1 } = fields(calendario)
  return isWhole(expiracao, 1, maxSeconds) ? undefined : "calendario.expiracao"
}

export type Check = readonly [property: string, isSound: boolean]

/** Refuses a request for its first property that breaks the API's rules. */
export const refuseFlaw = (kind: string, resource: string, checks: ReadonlyArray<Check>): BankAnswer | undefined => {
  const flaw = checks.find(([, isSound]) => !isSound)?.[0]
  return flaw === undefined ? undefined : problem(400, kind, "breaks the schema or its meaning", `${resource}.${flaw}`)
}

export const isText = (value: unknown, maxLength: number): boolean =>
  typeof value === "string" && value.length > 0 && value.length <= maxLength

export const isAbsentOr = (value: unknown, isSound: boolean): boolean => value === undefined || isSound

export const isDay = (value: unknown): value is string =>
  typeof value === "string" &&
  /^\d{4}-\d{2}-\d{2}$/.test(value) &&
  !Number.isNaN(Date.parse(value)) &&
  // `Date` parses a day that the month doesn't have as a day of the next month.
  new Date(value).toISOString().startsWith(value)

export const isAmount = (value: unknown): boolean =>
  typeof value === "string" && /^\d{1,10}\.\d{2}$/.test(value) && Number(value) > 0

const isCpf = (value: unknown): boolean => typeof value === "string" && /^\d{11}$/.test(value)

const isCnpj = (value: unknown): boolean => typeof value === "string" && /^[0-9A-Z]{14}$/.test(value)

export const hasTaxId = ({ cpf, cnpj }: Readonly<Record<string, unknown>>): boolean =>
  cpf === undefined ? isCnpj(cnpj) : cnpj === undefined && isCpf(cpf)
