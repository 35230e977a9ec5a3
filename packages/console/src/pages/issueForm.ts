import type { FeesInput } from "@pixcharge/core/money"
import { type Form, type Html, html } from "@pixcharge/web"

export interface IssueForm {
  readonly root: string
  readonly form: Form
  readonly fees: FeesInput | undefined
  readonly fields: Html
}

const decimal = (hundredths: number): string => (hundredths / 100).toFixed(2).replace(/\.?0{1,2}$/, "")

const formatPercent = (fee: { readonly kind: string; readonly basisPoints?: number } | undefined): string =>
  fee?.basisPoints === undefined ? "" : decimal(fee.basisPoints)

const formatDiscount = ({ discount }: FeesInput): string => {
  const cents = discount?.kind === "fixedUntil" ? discount.tiers[0]?.amountCents : undefined
  return cents === undefined ? "" : decimal(cents)
}

interface Field {
  readonly name: string
  readonly label: string
  readonly value: string | undefined
  readonly hint?: string
  readonly type?: "text" | "date" | "number"
  readonly mode?: "decimal" | "numeric"
}

const field = ({ name, label, value, hint, type = "text", mode }: Field): Html =>
  html`<div class="field">
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      value="${value ?? ""}"
      autocomplete="off"
      inputmode="${mode ?? "text"}"
      aria-describedby="${hint === undefined ? "" : `${name}-hint`}"
    />
    ${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
  </div>`

const kinds = (form: Form): Html => {
  const isDue = form["kind"] === "dueDate"
  const choice = (value: string, label: string, isChosen: boolean) =>
    html`<label class="choice"
      ><input type="radio" name="kind" value="${value}" ${isChosen ? "checked" : ""} /> ${label}</label
    >`
  return html`<fieldset class="row">
    <legend class="visually-hidden">Kind of charge</legend>
    ${choice("immediate", "Immediate", !isDue)} ${choice("dueDate", "With a due date", isDue)}
  </fieldset>`
}

const texts = [
  "payerName",
  "payerTaxId",
  "messageToPayer",
  "additionalInfo",
  "reference",
  "metadata",
  "email",
  "street",
  "city",
  "state",
  "postalCode",
]

const payerAndTexts = (form: Form): Html => {
  const plain = (name: string, label: string, hint?: string) =>
    field({ name, label, value: form[name], ...(hint !== undefined && { hint }) })
  return html`<details ${texts.some((name) => form[name]) ? "open" : ""}>
    <summary>Payer and texts</summary>
    <div class="stack details-body">
      ${plain("reference", "Your reference", "Payers don't see it.")} ${plain("payerName", "Payer's name")}
      ${plain("payerTaxId", "Payer's CPF or CNPJ", "For a trial: 529.982.247-25")}
      <div class="stack when-due">
        ${plain("email", "Payer's e-mail")} ${plain("street", "Payer's street, number and district")}
        <div class="thirds">${plain("city", "City")} ${plain("state", "State")} ${plain("postalCode", "CEP")}</div>
      </div>
      ${plain("messageToPayer", "Message to the payer")}
      <div class="field">
        <label for="additionalInfo">Further lines</label>
        <textarea id="additionalInfo" name="additionalInfo" aria-describedby="additionalInfo-hint">
${form["additionalInfo"] ?? ""}</textarea>
        <p class="hint" id="additionalInfo-hint">On each line a name, a colon and a text: “Order: 1042”</p>
      </div>
      <div class="field">
        <label for="metadata">Your metadata</label>
        <textarea id="metadata" name="metadata" aria-describedby="metadata-hint">${form["metadata"] ?? ""}</textarea>
        <p class="hint" id="metadata-hint">Also on each line a name, a colon and a text. Payers don't see them.</p>
      </div>
    </div>
  </details>`
}

/** The stylesheet shows only the fields of the chosen kind, so the form needs no script. */
export const issueForm = ({ root, form, fees = {}, fields }: IssueForm): Html =>
  html`<form method="post" action="${root}console/charges" class="card issue" aria-labelledby="issue-title" data-busy>
    <h2 id="issue-title">Issue a charge</h2>
    ${fields}<input type="hidden" name="id" value="${form["id"]}" />
    ${field({ name: "amount", label: "Amount in reais", value: form["amount"] ?? "19.90", mode: "decimal" })}
    ${kinds(form)}
    <div class="stack when-immediate">
      ${field({ name: "minutes", label: "Minutes to pay", value: form["minutes"] ?? "10", mode: "numeric" })}
    </div>
    <div class="stack when-due">
      ${field({ name: "dueDate", label: "Due date", value: form["dueDate"], type: "date" })}
      <fieldset class="stack">
        <legend>Fees of this charge</legend>
        <p class="hint">At first the company's. Clear a field to waive it.</p>
        <div class="thirds">
          ${field({ name: "fine", label: "Fine, %", value: form["fine"] ?? formatPercent(fees.fine), mode: "decimal" })}
          ${field({
            name: "interest",
            label: "Interest, % a month",
            value: form["interest"] ?? formatPercent(fees.interest),
            mode: "decimal",
          })}
          ${field({
            name: "discount",
            label: "Discount until the day before, R$",
            value: form["discount"] ?? formatDiscount(fees),
            mode: "decimal",
          })}
        </div>
      </fieldset>
      ${field({
        name: "graceDays",
        label: "Days to pay after the due date",
        value: form["graceDays"],
        hint: "Empty: the company's.",
        mode: "numeric",
      })}
    </div>
    ${payerAndTexts(form)}
    <button class="button button-primary button-wide">Issue</button>
  </form>`
