import type { ChargePayerInput, ChargeRequestField, ChargeRequestInput } from "@pixcharge/core/charges"
import { type Form, type Html, html } from "@pixcharge/web"
import {
  type FieldProblem,
  type FormToCorrect,
  readReais,
  straightenPunctuation,
  textField,
} from "../../parts/field.ts"
import { readDay } from "../../parts/period.ts"

export const dueDateTexts = {
  fees: "Multa, juros e desconto desta cobrança (com vencimento)",
  feesHint: "Em branco, vale o cadastro da empresa; 0 quer dizer nenhum.",
  fine: "Multa, em %",
  interest: "Juros ao mês, em %",
  abatement: "Abatimento, em reais",
  discount: "Desconto, em reais",
  discountUntil: "Desconto até",
  discountHint: "Em branco, até o vencimento.",
  graceDays: "Dias para pagar após o vencimento",
  contact: "E-mail e endereço do pagador (com vencimento)",
  email: "E-mail",
  street: "Logradouro, número e bairro",
  city: "Cidade",
  state: "UF",
  postalCode: "CEP",
  noFees: "Multa, juros, abatimento e desconto exigem um vencimento.",
  noPercent: "Informe um percentual, como 2 ou 0,5.",
  noAmount: "Informe um valor em reais, como 12,50.",
  noDiscount: "Informe um valor em reais, como 12,50, e um dia até o vencimento.",
  dayHasPassed: "O dia do desconto já passou: informe outro.",
  exceedsAmount: "O abatimento e o desconto devem deixar algo a pagar.",
  noDays: "Informe de 1 a 3650 dias, com um vencimento.",
  noEmail: "Informe um e-mail válido, com um vencimento.",
  noAddress: "Informe o endereço completo, com UF de duas letras e CEP de oito dígitos, e um vencimento.",
}

const names = {
  fine: "multa",
  interest: "juros",
  abatement: "abatimento",
  discount: "desconto",
  discountUntil: "desconto-ate",
  graceDays: "dias-apos",
  email: "email",
  street: "logradouro",
  city: "cidade",
  state: "uf",
  postalCode: "cep",
} as const

const problem = (name: keyof typeof names, text: string): FieldProblem => ({ field: names[name], text })

export const dueDateProblems = {
  fees: problem("fine", dueDateTexts.noFees),
  "fees.fine": problem("fine", dueDateTexts.noPercent),
  "fees.interest": problem("interest", dueDateTexts.noPercent),
  "fees.abatement": problem("abatement", dueDateTexts.noAmount),
  "fees.discount": problem("discount", dueDateTexts.noDiscount),
  graceDays: problem("graceDays", dueDateTexts.noDays),
  "payer.email": problem("email", dueDateTexts.noEmail),
  "payer.address": problem("street", dueDateTexts.noAddress),
} satisfies Partial<Record<ChargeRequestField, FieldProblem>>

/** By the reason of `InvalidFees`. */
export const feesProblem = (reason: string): FieldProblem =>
  problem("discount", reason === "passed" ? dueDateTexts.dayHasPassed : dueDateTexts.exceedsAmount)

const read = (form: Form, name: keyof typeof names): string => straightenPunctuation(form[names[name]] ?? "").trim()

/** 0 waives the part. An illegible text becomes NaN, which is refused. */
const readShare = <Share>(text: string, toShare: (hundredths: number) => Share): Share | "none" | undefined => {
  if (text === "") return undefined
  const hundredths = readReais(text.replace(/ ?%$/, "")) ?? Number.NaN
  return hundredths === 0 ? "none" : toShare(hundredths)
}

const readDiscount = (form: Form) => {
  const until = read(form, "discountUntil")
  const day = until === "" ? { daysBefore: 0 } : { date: readDay(until) ?? until }
  const amount = read(form, "discount")
  return readShare(amount === "" && until !== "" ? "?" : amount, (amountCents) => ({
    kind: "fixedUntil" as const,
    tiers: [{ ...day, amountCents }],
  }))
}

const present = <Value extends object>(value: Value): Value | undefined =>
  Object.values(value).some((field) => field !== undefined) ? value : undefined

export const readDueDateTerms = (form: Form): Pick<ChargeRequestInput, "fees" | "graceDays"> => {
  const days = read(form, "graceDays")
  return {
    fees: present({
      fine: readShare(read(form, "fine"), (basisPoints) => ({ kind: "percent" as const, basisPoints })),
      interest: readShare(read(form, "interest"), (basisPoints) => ({
        kind: "percentPerMonth" as const,
        days: "calendar" as const,
        basisPoints,
      })),
      abatement: readShare(read(form, "abatement"), (amountCents) => ({ kind: "fixed" as const, amountCents })),
      discount: readDiscount(form),
    }),
    graceDays: days === "" ? undefined : Number(days),
  }
}

export const readContact = (form: Form): Pick<ChargePayerInput, "email" | "address"> => {
  const [email = "", street = "", city = "", state = "", postalCode = ""] = (
    ["email", "street", "city", "state", "postalCode"] as const
  ).map((name) => read(form, name))
  return {
    email: email === "" ? undefined : email,
    address:
      street + city + state + postalCode === "" ? undefined : { street, city, state: state.toUpperCase(), postalCode },
  }
}

const isOpen = (input: FormToCorrect, all: ReadonlyArray<keyof typeof names>): boolean =>
  all.some((name) => read(input.form, name) !== "" || input.problem?.field === names[name])

export const feesFields = (input: FormToCorrect): Html =>
  html`<details
    ${isOpen(input, ["fine", "interest", "abatement", "discount", "discountUntil", "graceDays"]) && html`open`}
  >
    <summary>${dueDateTexts.fees}</summary>
    <div class="stack">
      <p class="hint">${dueDateTexts.feesHint}</p>
      ${(["fine", "interest", "abatement", "discount"] as const).map((name) =>
        textField(input, names[name], dueDateTexts[name], { more: html`inputmode="decimal"` }),
      )}
      ${textField(input, names.discountUntil, dueDateTexts.discountUntil, {
        hint: dueDateTexts.discountHint,
        more: html`type="date"`,
      })}
      ${textField(input, names.graceDays, dueDateTexts.graceDays, { more: html`inputmode="numeric" maxlength="4"` })}
    </div>
  </details>`

export const contactFields = (input: FormToCorrect): Html =>
  html`<details ${isOpen(input, ["email", "street", "city", "state", "postalCode"]) && html`open`}>
    <summary>${dueDateTexts.contact}</summary>
    <div class="stack">
      ${textField(input, names.email, dueDateTexts.email, { more: html`maxlength="254" spellcheck="false"` })}
      ${textField(input, names.street, dueDateTexts.street, { more: html`maxlength="200"` })}
      ${textField(input, names.city, dueDateTexts.city, { more: html`maxlength="200"` })}
      ${textField(input, names.state, dueDateTexts.state, { more: html`maxlength="2"` })}
      ${textField(input, names.postalCode, dueDateTexts.postalCode, { more: html`maxlength="9" inputmode="numeric"` })}
    </div>
  </details>`
