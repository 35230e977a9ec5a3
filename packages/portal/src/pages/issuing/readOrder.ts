import { type ChargeRequestField, type ChargeRequestInput, parseChargeRequest } from "@pixcharge/core/charges"
import type { Form } from "@pixcharge/web"
import * as Result from "effect/Result"
import type { FieldProblem } from "../../parts/field.ts"
import { readDay } from "../../parts/period.ts"
import { readReais } from "../../parts/readReais.ts"
import { straightenPunctuation } from "../../parts/straightenPunctuation.ts"
import { defaultValidity, issueTexts, referenceName, validities } from "./issueTexts.ts"

/** The names of the form's fields. */
export const orderFields = {
  amount: "valor",
  dueDate: "vencimento",
  validity: "prazo",
  payerName: "nome",
  payerTaxId: "documento",
  description: "descricao",
  reference: "referencia",
} as const

/** The field of a rule that a request breaks, and what to do. */
const problems: Readonly<Partial<Record<ChargeRequestField, FieldProblem>>> = {
  amount: { field: orderFields.amount, text: issueTexts.noAmount },
  dueDate: { field: orderFields.dueDate, text: issueTexts.noDay },
  "payer.name": { field: orderFields.payerName, text: issueTexts.noName },
  "payer.taxId": { field: orderFields.payerTaxId, text: issueTexts.noTaxId },
  messageToPayer: { field: orderFields.description, text: issueTexts.noText },
  additionalInfo: { field: orderFields.reference, text: issueTexts.noReference },
}

/** What can be written of a term: the due date, or how long the charge may be paid. */
const readTerm = (dueDate: string, validity: string): Pick<ChargeRequestInput, "dueDate" | "payableForSeconds"> => {
  if (dueDate !== "") return { dueDate: readDay(dueDate) ?? dueDate }
  const isOffered = validities.some(([seconds]) => seconds === validity)
  return { payableForSeconds: Number(isOffered ? validity : defaultValidity) }
}

/** Reads the charge that a form asks for; or its first invalid field. `id` is the charge's. */
export const readOrder = (form: Form, id: string): ChargeRequestInput | FieldProblem => {
  const read = (name: keyof typeof orderFields): string => (form[orderFields[name]] ?? "").trim()
  const taxId = read("payerTaxId")
  const [name = "", description, reference] = (["payerName", "description", "reference"] as const).map((field) =>
    straightenPunctuation(read(field)),
  )
  const order: ChargeRequestInput = {
    id,
    amountCents: readReais(read("amount")) ?? 0,
    ...readTerm(read("dueDate"), read("validity")),
    ...(name + taxId !== "" && { payer: { name, taxId } }),
    ...(description && { messageToPayer: description }),
    ...(reference && { additionalInfo: [{ name: referenceName, value: reference }] }),
  }
  const parsed = parseChargeRequest(order)
  if (Result.isSuccess(parsed)) return order
  const problem = problems[parsed.failure.field]
  if (problem === undefined) throw parsed.failure
  return problem
}
