import { type ChargeRequestField, type ChargeRequestInput, parseChargeRequest } from "@pixcharge/core/charges"
import { isPixError } from "@pixcharge/embed"
import { type Form, type Html, html } from "@pixcharge/web"
import * as Result from "effect/Result"
import { action, page, type PortalRoute } from "../../frame/PortalRoute.ts"
import type { ActionView, Content, Outcome, View } from "../../frame/View.ts"
import {
  field,
  type FieldProblem,
  type FormToCorrect,
  readReais,
  straightenPunctuation,
  textField,
} from "../../parts/field.ts"
import { formats } from "../../parts/formats.ts"
import { readDay } from "../../parts/period.ts"
import { chargesCrumb, newChargePath, sendPath } from "./chargeTexts.ts"
import {
  contactFields,
  dueDateProblems,
  feesFields,
  feesProblem,
  readContact,
  readDueDateTerms,
} from "./dueDateTerms.ts"
import { sendPage } from "./sendCharge.ts"

export const issueTexts = {
  title: "Emitir cobrança",
  amount: "Valor",
  amountHint: "Em reais, com vírgula: 12,50.",
  dueDate: "Vencimento",
  dueDateHint:
    "Sem vencimento, a cobrança vale pelo prazo escolhido abaixo. Com vencimento, valem a multa e os juros da empresa, ou os desta cobrança.",
  validity: "Prazo para pagar (sem vencimento)",
  payerName: "Nome do pagador",
  payerTaxId: "CPF ou CNPJ do pagador",
  payer: "Pagador (opcional)",
  description: "Descrição",
  descriptionHint: "O que está sendo cobrado. O pagador vê este texto no app do banco e na página de pagamento.",
  reference: "Referência",
  referenceHint: "O número do pedido ou do contrato, para achar a cobrança. O pagador não vê.",
  submit: "Emitir cobrança",
  charge: "Cobrança",
  noAmount: "Informe um valor em reais, com vírgula para os centavos, como 12,50.",
  noDay: "Informe uma data válida, como 22/11/2026.",
  dueDateRange: (from: string, until: string) => `Informe uma data de ${from} a ${until}.`,
  noName: "Informe o nome, com até 200 caracteres, ou deixe nome e documento em branco.",
  noTaxId: "CPF ou CNPJ inválido: confira os dígitos.",
  noText: "Use no máximo 140 caracteres, sem emojis nem símbolos especiais.",
  noReference: "Use no máximo 100 caracteres, um deles visível.",
}

const validities: ReadonlyArray<readonly [seconds: string, text: string]> = [
  ["3600", "1 hora"],
  ["86400", "1 dia"],
  ["259200", "3 dias"],
  ["604800", "7 dias"],
  ["2592000", "30 dias"],
]

/** A day, because payers seldom open a link immediately. */
const defaultValidity = "86400"

const orderFields = {
  amount: "valor",
  dueDate: "vencimento",
  validity: "prazo",
  payerName: "nome",
  payerTaxId: "documento",
  description: "descricao",
  reference: "referencia",
} as const

const problems: Readonly<Partial<Record<ChargeRequestField, FieldProblem>>> = {
  ...dueDateProblems,
  amount: { field: orderFields.amount, text: issueTexts.noAmount },
  dueDate: { field: orderFields.dueDate, text: issueTexts.noDay },
  "payer.name": { field: orderFields.payerName, text: issueTexts.noName },
  "payer.taxId": { field: orderFields.payerTaxId, text: issueTexts.noTaxId },
  messageToPayer: { field: orderFields.description, text: issueTexts.noText },
  reference: { field: orderFields.reference, text: issueTexts.noReference },
}

const readTerm = (dueDate: string, validity: string): Pick<ChargeRequestInput, "dueDate" | "payableForSeconds"> => {
  if (dueDate !== "") return { dueDate: readDay(dueDate) ?? dueDate }
  const isOffered = validities.some(([seconds]) => seconds === validity)
  return { payableForSeconds: Number(isOffered ? validity : defaultValidity) }
}

const readOrder = (form: Form, id: string): ChargeRequestInput | FieldProblem => {
  const read = (name: keyof typeof orderFields): string => (form[orderFields[name]] ?? "").trim()
  const taxId = read("payerTaxId")
  const [name = "", description] = (["payerName", "description"] as const).map((each) =>
    straightenPunctuation(read(each)),
  )
  const reference = read("reference")
  const contact = readContact(form)
  const order: ChargeRequestInput = {
    id,
    amountCents: readReais(read("amount")) ?? 0,
    ...readTerm(read("dueDate"), read("validity")),
    ...readDueDateTerms(form),
    ...((name + taxId !== "" || contact.email !== undefined || contact.address) && {
      payer: { name, taxId, ...contact },
    }),
    ...(description && { messageToPayer: description }),
    ...(reference && { reference }),
  }
  const parsed = parseChargeRequest(order)
  if (Result.isSuccess(parsed)) return order
  const problem = problems[parsed.failure.field]
  if (problem === undefined) throw parsed.failure
  return problem
}

const validityField = ({ form, problem }: FormToCorrect): Html => {
  const chosen = form[orderFields.validity] ?? defaultValidity
  return field(
    { name: orderFields.validity, label: issueTexts.validity, problem },
    (attributes) =>
      html`<select ${attributes}>
        ${validities.map(
          ([seconds, text]) =>
            html`<option value="${seconds}" ${seconds === chosen && html`selected`}>${text}</option>`,
        )}
      </select>`,
  )
}

const issuePage = (view: View, form: Form = {}, problem?: FieldProblem): Content => {
  const input = { form, problem }
  return {
    title: issueTexts.title,
    crumbs: [chargesCrumb],
    ...(problem !== undefined && { status: 422 }),
    body: html`<form class="card stack" method="post" action="${view.link(newChargePath)}">
      ${view.formFields()}
      ${textField(input, orderFields.amount, issueTexts.amount, {
        hint: issueTexts.amountHint,
        more: html`required inputmode="decimal"`,
      })}
      ${textField(input, orderFields.description, issueTexts.description, {
        hint: issueTexts.descriptionHint,
        more: html`maxlength="140"`,
      })}
      ${textField(input, orderFields.reference, issueTexts.reference, {
        hint: issueTexts.referenceHint,
        more: html`maxlength="100"`,
      })}
      ${textField(input, orderFields.dueDate, issueTexts.dueDate, { hint: issueTexts.dueDateHint, more: html`type="date"` })}
      ${validityField(input)} ${feesFields(input)}
      <fieldset class="stack">
        <legend>${issueTexts.payer}</legend>
        ${textField(input, orderFields.payerName, issueTexts.payerName, { more: html`maxlength="200"` })}
        ${textField(input, orderFields.payerTaxId, issueTexts.payerTaxId, { more: html`maxlength="18" spellcheck="false"` })}
        ${contactFields(input)}
      </fieldset>
      <div><button class="button button-primary">${issueTexts.submit}</button></div>
    </form>`,
  }
}

const options = { right: "issue", section: "charges" } as const

const correct = (form: Form, problem: FieldProblem): Outcome => ({ correct: (view) => issuePage(view, form, problem) })

/** The form's key is the charge's id, so a form sent twice issues one charge. */
const issue = async (view: ActionView, form: Form): Promise<Outcome> => {
  const order = readOrder(form, view.actionKey)
  if (!("id" in order)) return correct(form, order)
  try {
    const { id } = await view.as.issue(view.company, order)
    return { to: sendPath(id), notice: "chargeIssued" }
  } catch (error) {
    if (isPixError(error, "InvalidFees") && error.isRequested) return correct(form, feesProblem(error.reason))
    if (!isPixError(error, "DueDateOutOfRange")) throw error
    const text = issueTexts.dueDateRange(formats.day(error.earliest), formats.day(error.latest))
    return correct(form, { field: orderFields.dueDate, text })
  }
}

export const issueRoutes: ReadonlyArray<PortalRoute> = [
  page(newChargePath, options, (view) => issuePage(view)),
  action(newChargePath, options, issue),
  page("/cobrancas/:id/enviar", { section: "charges" }, (view) => sendPage(view, view.params.id), {
    everyMs: 2_000,
    look: ({ pix, company, params }) => pix.find(company, params.id),
  }),
]
