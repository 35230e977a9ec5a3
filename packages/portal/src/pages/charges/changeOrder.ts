import { type ChargeChange, type ChargeRequestField, parseChargeRequest } from "@pixcharge/core/charges"
import { maxValiditySeconds } from "@pixcharge/core/internal"
import { isPixError, type PlainCharge } from "@pixcharge/embed"
import type { Form } from "@pixcharge/web"
import * as Result from "effect/Result"
import { type FieldProblem, readReais, straightenPunctuation } from "../../parts/field.ts"
import { formats } from "../../parts/formats.ts"
import { readDay } from "../../parts/period.ts"
import { dueDateTexts } from "./dueDateTerms.ts"
import { issueTexts } from "./issueCharge.ts"

export const changeFields = {
  amount: "valor",
  dueDate: "vencimento",
  graceDays: "dias-apos",
  validity: "prazo",
  message: "descricao",
  reference: "referencia",
} as const

type ChangeField = keyof typeof changeFields

const orderTexts = {
  nothing: "Preencha ao menos um campo com um valor diferente do atual.",
  ended: "Com essas mudanças, o prazo para pagar já teria terminado. Escolha um prazo maior.",
  noValidity: "Escolha um prazo da lista, até 30 dias depois da criação da cobrança.",
}

/** The new terms, without the key. Fields that the operator left as they are stay. */
export type ChangeOrder = Omit<ChargeChange, "key">

const problemAt = (field: ChangeField, text: string): FieldProblem => ({ field: changeFields[field], text })

const problems: Readonly<Partial<Record<ChargeRequestField, FieldProblem>>> = {
  amount: problemAt("amount", issueTexts.noAmount),
  dueDate: problemAt("dueDate", issueTexts.noDay),
  graceDays: problemAt("graceDays", dueDateTexts.noDays),
  payableForSeconds: problemAt("validity", orderTexts.noValidity),
  messageToPayer: problemAt("message", issueTexts.noText),
  reference: problemAt("reference", issueTexts.noReference),
}

const readField = (form: Form, name: ChangeField): string | undefined =>
  (form[changeFields[name]] ?? "").trim() || undefined

/** Wrong texts become values that the parser refuses. */
const readNamed = (form: Form): ChangeOrder => {
  const [amount, dueDate, graceDays, validity, message, reference] = (
    ["amount", "dueDate", "graceDays", "validity", "message", "reference"] as const
  ).map((name) => readField(form, name))
  return {
    ...(amount && { amountCents: readReais(amount) ?? 0 }),
    ...(dueDate && { dueDate: readDay(dueDate) ?? dueDate }),
    ...(graceDays && { graceDays: Number(graceDays) }),
    ...(validity && { payableForSeconds: Number(validity) }),
    ...(message && { messageToPayer: straightenPunctuation(message) }),
    ...(reference && { reference }),
  }
}

/** Without the terms that the charge already has. */
export const changedOrder = (charge: PlainCharge, order: ChangeOrder): ChangeOrder =>
  Object.fromEntries(Object.entries(order).filter(([name, value]) => charge[name as keyof PlainCharge] !== value))

export const nothingChanged: FieldProblem = problemAt("amount", orderTexts.nothing)

/** The terms that a form names, or its first problem. */
export const readChange = (form: Form, { id, amountCents, dueDate }: PlainCharge): ChangeOrder | FieldProblem => {
  const order = readNamed(form)
  if (Object.keys(order).length === 0) return nothingChanged
  const parsed = parseChargeRequest({
    id,
    ...(dueDate && { dueDate }),
    ...order,
    amountCents: order.amountCents ?? amountCents,
  })
  if (Result.isSuccess(parsed)) return order
  const problem = problems[parsed.failure.field]
  if (problem === undefined) throw parsed.failure
  return problem
}

/** The problem beside its field if the error names one. */
export const changeProblem = (error: unknown, { dueDate }: PlainCharge): FieldProblem | undefined => {
  if (isPixError(error, "InvalidFees")) return problemAt("amount", dueDateTexts.exceedsAmount)
  if (isPixError(error, "InvalidChargeRequest")) return problems[error.field]
  if (isPixError(error, "InvalidChargeChange")) {
    return problemAt(
      dueDate === undefined ? "validity" : error.field === "graceDays" ? "graceDays" : "dueDate",
      orderTexts.ended,
    )
  }
  if (!isPixError(error, "DueDateOutOfRange")) return undefined
  return problemAt("dueDate", issueTexts.dueDateRange(formats.day(error.earliest), formats.day(error.latest)))
}

/** The hidden fields of the confirmation. They name only what changes. */
export const orderFields = (order: ChangeOrder): Readonly<Record<string, string>> => {
  const { amountCents, dueDate, graceDays, payableForSeconds, messageToPayer, reference } = order
  const written = {
    amount: amountCents === undefined ? undefined : (amountCents / 100).toFixed(2).replace(".", ","),
    dueDate,
    graceDays,
    validity: payableForSeconds,
    message: messageToPayer,
    reference,
  }
  return Object.fromEntries(
    Object.entries(written).flatMap(([name, value]) =>
      value === undefined ? [] : [[changeFields[name as ChangeField], String(value)]],
    ),
  )
}

const terms: ReadonlyArray<readonly [seconds: number, text: string]> = [
  [3_600, "1 hora"],
  [86_400, "1 dia"],
  [259_200, "3 dias"],
  [604_800, "7 dias"],
]

interface Validity {
  /** From the charge's creation. */
  readonly seconds: number
  readonly text: string
  /** Epoch milliseconds. */
  readonly until: number
}

/** The times to pay that the bank allows: at most 30 days from the charge's creation. `now` is in epoch milliseconds. */
export const validities = ({ createdAt }: PlainCharge, now: number): ReadonlyArray<Validity> => {
  const passed = Math.ceil((now - createdAt) / 1000)
  return [...terms.map(([seconds, text]) => [passed + seconds, text] as const), [maxValiditySeconds, ""] as const]
    .filter(([seconds]) => seconds <= maxValiditySeconds)
    .map(([seconds, text]) => ({ seconds, text, until: createdAt + seconds * 1000 }))
}
