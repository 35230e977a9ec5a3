import { isPixError, type PlainCharge } from "@pixcharge/embed"
import { type Form, type Html, html } from "@pixcharge/web"
import { action, page, type PortalRoute, query } from "../../frame/PortalRoute.ts"
import type { ActionView, Content, Crumb, Outcome, View } from "../../frame/View.ts"
import { isActionKey, keyField } from "../../frame/makeView.ts"
import { confirmation } from "../../parts/elements.ts"
import { field, type FieldProblem, type FormToCorrect, textField } from "../../parts/field.ts"
import { formats } from "../../parts/formats.ts"
import { listTable } from "../../parts/list.ts"
import { underWayNotice } from "./chargeTerms.ts"
import { changePath, chargePath, chargesCrumb, chargeTexts } from "./chargeTexts.ts"
import {
  changeFields,
  type ChangeOrder,
  changedOrder,
  changeProblem,
  nothingChanged,
  orderFields,
  readChange,
  validities,
} from "./changeOrder.ts"
import { dueDateTexts } from "./dueDateTerms.ts"
import { issueTexts } from "./issueCharge.ts"

const changeTexts = {
  title: "Alterar cobrança",
  confirmTitle: "Confirmar alteração",
  intro: "Preencha só o que muda. Em branco, o campo continua como está.",
  amount: "Novo valor",
  dueDate: "Novo vencimento",
  validity: "Novo prazo para pagar",
  message: "Nova mensagem ao pagador",
  reference: "Nova referência",
  today: (value: string) => `Hoje: ${value}.`,
  amountHint: (value: string) => `Hoje: ${value}. Em reais, com vírgula: 12,50.`,
  graceDaysHint: (until: string) => `Hoje, a cobrança pode ser paga até ${until}.`,
  messageHint: "O pagador vê este texto no app do banco e na página de pagamento.",
  keepValidity: (until: string) => `Continua até ${until}`,
  validityChoice: (text: string, until: string) =>
    text === "" ? `O máximo: até ${until}` : `Mais ${text}: até ${until}`,
  next: "Continuar",
  ask: "A alteração vale assim que o banco confirmar. Confira o que muda:",
  read: "Quem já leu o código ainda pode pagar com os dados anteriores; o pagamento será aceito.",
  what: "Dado",
  before: "Hoje",
  after: "Depois",
  caption: "O que muda",
  hidden: "Com mensagem",
  none: "—",
  submit: "Alterar a cobrança",
  requested: "Esta alteração já foi solicitada. Para mudar outra coisa, preencha de novo.",
  blocked: {
    notOpen: "Só uma cobrança que aguarda pagamento pode ser alterada.",
    cycle: "A cobrança de um ciclo de recorrência não pode ser alterada.",
  },
}

const makeCrumbs = ({ id, amountCents }: PlainCharge): ReadonlyArray<Crumb> => [
  chargesCrumb,
  { title: chargeTexts.title(formats.reais(amountCents)), path: chargePath(id) },
]

const blockedNotice = (charge: PlainCharge): Html | undefined => {
  const { notOpen, cycle } = changeTexts.blocked
  const text = charge.cycle !== undefined ? cycle : charge.status === "pending" ? undefined : notOpen
  return text === undefined ? underWayNotice(charge) : html`<p class="notice" data-tone="warn">${text}</p>`
}

const validityField = (charge: PlainCharge, { form, problem }: FormToCorrect, now: number): Html => {
  const chosen = form[changeFields.validity] ?? ""
  const choices = validities(charge, now).map(
    ({ seconds, text, until }) => [String(seconds), changeTexts.validityChoice(text, formats.moment(until))] as const,
  )
  const keep = ["", changeTexts.keepValidity(formats.moment(charge.payableUntil))] as const
  return field(
    { name: changeFields.validity, label: changeTexts.validity, problem },
    (attributes) =>
      html`<select ${attributes}>
        ${[keep, ...choices].map(
          ([value, text]) => html`<option value="${value}" ${value === chosen && html`selected`}>${text}</option>`,
        )}
      </select>`,
  )
}

const endFields = (charge: PlainCharge, input: FormToCorrect, now: number): Html =>
  charge.dueDate === undefined
    ? validityField(charge, input, now)
    : html`${textField(input, changeFields.dueDate, changeTexts.dueDate, {
        hint: changeTexts.today(formats.day(charge.dueDate)),
        more: html`type="date"`,
      })}
      ${textField(input, changeFields.graceDays, dueDateTexts.graceDays, {
        hint: changeTexts.graceDaysHint(formats.moment(charge.payableUntil)),
        more: html`inputmode="numeric" maxlength="4"`,
      })}`

interface Before {
  readonly form?: Form
  readonly problem?: FieldProblem
  /** The key of the form that is corrected; default: a new key. */
  readonly key?: string
  readonly isRequested?: boolean
}

const changePage = (view: View, charge: PlainCharge, before: Before = {}): Content => {
  const { form = {}, problem, key, isRequested = false } = before
  const input = { form, problem }
  const fields = html`<form class="card stack" method="post" action="${view.link(`${changePath(charge.id)}/conferir`)}">
    <p>${changeTexts.intro}</p>
    ${view.formFields(key)}
    ${textField(input, changeFields.amount, changeTexts.amount, {
      hint: changeTexts.amountHint(formats.reais(charge.amountCents)),
      more: html`inputmode="decimal"`,
    })}
    ${endFields(charge, input, view.now)}
    ${textField(input, changeFields.message, changeTexts.message, {
      hint: changeTexts.messageHint,
      more: html`maxlength="140"`,
    })}
    ${textField(input, changeFields.reference, changeTexts.reference, {
      hint: charge.reference === undefined ? issueTexts.referenceHint : changeTexts.today(charge.reference),
      more: html`maxlength="100"`,
    })}
    <div class="row"><button class="button button-primary">${changeTexts.next}</button></div>
  </form>`
  return {
    title: changeTexts.title,
    crumbs: makeCrumbs(charge),
    ...(problem !== undefined && { status: 422 }),
    body: html`${isRequested && html`<p class="notice" data-tone="info">${changeTexts.requested}</p>`}
    ${blockedNotice(charge) ?? fields}`,
  }
}

interface ChangedTerm {
  readonly what: string
  readonly before: string | undefined
  readonly after: string | undefined
}

const changedTerms = (charge: PlainCharge, order: ChangeOrder): ReadonlyArray<ChangedTerm> => {
  const { amountCents, dueDate, graceDays, payableForSeconds: seconds, messageToPayer, reference } = order
  const { createdAt, payableUntil } = charge
  const until = seconds === undefined ? undefined : formats.dateTime(createdAt + seconds * 1000)
  const rows = [
    {
      what: chargeTexts.amount,
      before: formats.reais(charge.amountCents),
      after: amountCents === undefined ? undefined : formats.reais(amountCents),
    },
    {
      what: chargeTexts.dueDate,
      before: charge.dueDate && formats.day(charge.dueDate),
      after: dueDate && formats.day(dueDate),
    },
    {
      what: dueDateTexts.graceDays,
      before: `${chargeTexts.payableUntil} ${formats.dateTime(payableUntil)}`,
      after: graceDays === undefined ? undefined : String(graceDays),
    },
    { what: chargeTexts.payableUntil, before: formats.dateTime(payableUntil), after: until },
    { what: chargeTexts.message, before: charge.messageToPayer && changeTexts.hidden, after: messageToPayer },
    { what: chargeTexts.reference, before: charge.reference, after: reference },
  ]
  return rows.filter(({ before, after }) => after !== undefined && after !== before)
}

/** The payer's texts in force stay hidden: they can name the payer. */
const confirmPage = (view: View, charge: PlainCharge, order: ChangeOrder, key: string): Content => {
  const back = changePath(charge.id)
  const columns = [
    { title: changeTexts.what, onPhone: "title", cell: ({ what }: ChangedTerm) => what },
    {
      title: changeTexts.before,
      cell: ({ before }: ChangedTerm) => html`${changeTexts.before}: ${before ?? changeTexts.none}`,
    },
    {
      title: changeTexts.after,
      cell: ({ after }: ChangedTerm) => html`${changeTexts.after}: <strong class="break">${after}</strong>`,
    },
  ] as const
  const body = html`<p>${changeTexts.ask}</p>
    ${listTable(changeTexts.caption, columns, changedTerms(charge, order), "")}
    <p>${changeTexts.read}</p>`
  return {
    title: changeTexts.confirmTitle,
    crumbs: [...makeCrumbs(charge), { title: changeTexts.title, path: back }],
    body: confirmation(view, { body, path: back, values: orderFields(order), key, submit: changeTexts.submit, back }),
  }
}

const options = { right: "changeCharge", section: "charges" } as const
const path = "/cobrancas/:id/alterar"

const isKnown = ({ termsHistory = [] }: PlainCharge, key: string): boolean =>
  termsHistory.some((terms) => terms.key === key)

/** A change without an answer from the bank goes on by itself: the charge's page shows its end. */
const change = async (view: ActionView, charge: PlainCharge, order: ChangeOrder): Promise<Outcome> => {
  const { as, pix, company, actionKey } = view
  try {
    const { isNewCode } = await as.change(company, charge.id, { key: actionKey, ...order })
    return { to: chargePath(charge.id), notice: isNewCode ? "chargeChangedCode" : "chargeChanged" }
  } catch (error) {
    if (!isPixError(error, "ProcessorUnavailable") || !isKnown(await pix.find(company, charge.id), actionKey))
      throw error
    return { to: chargePath(charge.id), notice: "changeRequested" }
  }
}

export const changeRoutes: ReadonlyArray<PortalRoute> = [
  page(path, options, async (view) => changePage(view, await view.pix.find(view.company, view.params.id))),
  query(`${path}/conferir`, options, async (view, form) => {
    const charge = await view.pix.find(view.company, view.params.id)
    const key = form[keyField] ?? ""
    // After the browser's back button, a form that was confirmed must not be sent with other values.
    if (!isActionKey(key) || isKnown(charge, key))
      return changePage(view, charge, { isRequested: isKnown(charge, key) })
    if (blockedNotice(charge) !== undefined) return changePage(view, charge)
    const read = readChange(form, charge)
    const order = "text" in read ? read : changedOrder(charge, read)
    const problem = "text" in order ? order : Object.keys(order).length === 0 ? nothingChanged : undefined
    return problem === undefined
      ? confirmPage(view, charge, order as ChangeOrder, key)
      : changePage(view, charge, { form, problem, key })
  }),
  action(path, options, async (view, form): Promise<Outcome> => {
    const charge = await view.pix.find(view.company, view.params.id)
    const { actionKey: key } = view
    const correct = (problem: FieldProblem): Outcome => ({
      correct: (again) => changePage(again, charge, { form, problem, key }),
    })
    const order = readChange(form, charge)
    if ("text" in order) return correct(order)
    try {
      return await change(view, charge, order)
    } catch (error) {
      const problem = changeProblem(error, charge)
      if (problem === undefined) throw error
      return correct(problem)
    }
  }),
]
