import { type Form, type Html, html } from "@pixcharge/web"
import type { Content } from "../../frame/Content.ts"
import type { View } from "../../frame/View.ts"
import { field, type FieldProblem } from "../../parts/field.ts"
import { chargesCrumb, newChargePath } from "../charges/chargePaths.ts"
import { defaultValidity, issueTexts, validities } from "./issueTexts.ts"
import { orderFields } from "./readOrder.ts"

interface Input {
  readonly form: Form
  readonly problem: FieldProblem | undefined
}

type FieldName = keyof typeof orderFields

const textField = (
  { form, problem }: Input,
  name: FieldName,
  label: string,
  { hint, more = html`` }: { readonly hint?: string; readonly more?: Html } = {},
): Html =>
  field(
    { name: orderFields[name], label, hint, problem },
    (attributes) => html`<input ${attributes} value="${form[orderFields[name]]}" autocomplete="off" ${more} />`,
  )

const validityField = ({ form, problem }: Input): Html => {
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

/** The page of the form that issues a charge; `problem` is that of a form to correct. */
export const issuePage = (view: View, form: Form = {}, problem?: FieldProblem): Content => {
  const input = { form, problem }
  return {
    title: issueTexts.title,
    crumbs: [chargesCrumb],
    ...(problem !== undefined && { status: 422 }),
    body: html`<form class="card stack" method="post" action="${view.link(newChargePath)}">
      ${view.formFields()}
      ${textField(input, "amount", issueTexts.amount, {
        hint: issueTexts.amountHint,
        more: html`required inputmode="decimal"`,
      })}
      ${textField(input, "description", issueTexts.description, {
        hint: issueTexts.descriptionHint,
        more: html`maxlength="140"`,
      })}
      ${textField(input, "reference", issueTexts.reference, {
        hint: issueTexts.referenceHint,
        more: html`maxlength="200"`,
      })}
      ${textField(input, "dueDate", issueTexts.dueDate, { hint: issueTexts.dueDateHint, more: html`type="date"` })}
      ${validityField(input)}
      <fieldset class="stack">
        <legend>${issueTexts.payer}</legend>
        ${textField(input, "payerName", issueTexts.payerName, { more: html`maxlength="200"` })}
        ${textField(input, "payerTaxId", issueTexts.payerTaxId, { more: html`maxlength="18" spellcheck="false"` })}
      </fieldset>
      <div><button class="button button-primary">${issueTexts.submit}</button></div>
    </form>`,
  }
}
