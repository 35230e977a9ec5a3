import type { Reply } from "@pixcharge/core"
import { brasiliaDate } from "@pixcharge/core/calendar"
import { normalizeTaxId, parseTaxId } from "@pixcharge/core/party"
import { type Form, formatTaxId, type Html, html } from "@pixcharge/web"
import * as Result from "effect/Result"
import type { Content, View } from "../frame/View.ts"
import { action, page, type PortalRoute, query } from "../frame/PortalRoute.ts"
import { confirmation, facts } from "../parts/elements.ts"
import { field, type FieldProblem } from "../parts/field.ts"
import { formats } from "../parts/formats.ts"

const taxIdField = "documento"
const keepField = "manter-referencia"
const path = "/pagadores"

const readTaxId = (form: Form): string | undefined => {
  const parsed = parseTaxId(normalizeTaxId(form[taxIdField] ?? ""))
  return Result.isSuccess(parsed) ? parsed.success : undefined
}

const orders = [
  {
    id: "exportar",
    heading: "Exportar",
    text: "Um arquivo com todos os dados de um pagador nesta empresa, para entregar ao titular.",
    path: `${path}/exportar`,
    submit: "Exportar",
    isDownload: true,
  },
  {
    id: "apagar",
    heading: "Apagar",
    text: "Apaga o nome, o documento e o contato de um pagador. A próxima página mostra o que fica e pede confirmação.",
    path: `${path}/apagar`,
    submit: "Continuar",
    isDownload: false,
  },
] as const

/** Uses POST to keep the payer's data out of URLs. */
const orderForm = (
  view: View,
  order: (typeof orders)[number],
  given: Form,
  problem: FieldProblem | undefined,
): Html => {
  const name = `${taxIdField}-${order.id}`
  const own = problem && { field: name, text: problem.text }
  return html`<form
    class="card stack"
    method="post"
    action="${view.link(order.path)}"
    ${order.isDownload && html`data-download`}
  >
    <h2>${order.heading}</h2>
    <p>${order.text}</p>
    ${view.token()}
    ${field(
      { name, label: "CPF ou CNPJ", problem: own },
      (attributes) =>
        html`<input
          required
          ${attributes}
          value="${given[name]}"
          autocomplete="off"
          spellcheck="false"
          maxlength="18"
        />`,
    )}
    <div><button class="button">${order.submit}</button></div>
  </form>`
}

const start = (view: View, wrong?: { readonly order: string; readonly form: Form }): Content => {
  const problem = { field: taxIdField, text: "CPF ou CNPJ inválido: confira os dígitos." }
  return {
    title: "Pagadores",
    ...(wrong !== undefined && { status: 422 }),
    body: html`<p class="muted">
        Os direitos do pagador como titular dos dados (LGPD). Cada exportação e cada eliminação fica registrada na
        auditoria.
      </p>
      <div class="grid">
        ${orders.map((order) => {
          const isWrong = wrong?.order === order.id
          return orderForm(view, order, isWrong ? wrong.form : {}, isWrong ? problem : undefined)
        })}
      </div>`,
  }
}

/** The name of the file doesn't identify the payer. */
const exportReply = (company: string, now: number, records: object): Reply => ({
  status: 200,
  headers: {
    "cache-control": "no-store",
    "content-disposition": `attachment; filename="pagador-${brasiliaDate(now)}.json"`,
    "content-type": "application/json; charset=utf-8",
  },
  body: JSON.stringify({ company, exportedAt: new Date(now).toISOString(), ...records }, undefined, 2),
})

const confirmErasure = (view: View, taxId: string): Content => ({
  title: "Apagar os dados deste pagador?",
  crumbs: [{ title: "Pagadores", path }],
  body: confirmation(view, {
    body: html`${facts([
        ["Documento", formatTaxId(taxId)],
        [
          "É apagado",
          `o nome, o documento, o e-mail, o endereço, os textos mostrados ao pagador, a referência e os metadados, em todas as cobranças desta empresa${view.pix.hasRecurrences ? "; e o nome e o documento, nas recorrências" : ""}`,
        ],
        [
          "Fica",
          "valores, datas, identificadores, pagamentos e devoluções, que a lei manda guardar; e as notas e a auditoria, que não têm dados de pagadores",
        ],
      ])}
      <p class="notice" data-tone="warn">
        Isso não pode ser desfeito. As cobranças deixam de ser encontradas por este nome e documento. Se o pagador pediu
        os dados, exporte-os antes.
      </p>
      <label class="choice"
        ><input type="checkbox" name="${keepField}" value="sim" /> Manter a referência e os metadados das cobranças,
        porque não identificam o pagador</label
      >`,
    path: `${path}/apagados`,
    values: { [taxIdField]: taxId },
    submit: "Apagar os dados",
    isDangerous: true,
    back: path,
  }),
})

const erasedText = (count: number, hasRecurrences: boolean): string => {
  const [one, many] = hasRecurrences
    ? (["cobrança ou recorrência", "cobranças e recorrências"] as const)
    : (["cobrança", "cobranças"] as const)
  return `Os dados do pagador foram apagados de ${formats.count(count)} ${count === 1 ? one : many}. Os valores continuam nos registros.`
}

const erasedPage = (count: number, hasRecurrences: boolean) => (): Content => ({
  title: count === 0 ? "Nada a apagar" : "Dados apagados",
  crumbs: [{ title: "Pagadores", path }],
  body: html`<p class="notice" data-tone="${count === 0 ? "info" : "good"}">
    ${count === 0 ? "Esta empresa não guarda dados deste pagador." : erasedText(count, hasRecurrences)}
  </p>`,
})

const options = { section: "payers", right: "payers" } as const

/** The field's name differs in each form, because all forms are on one page. */
const readOrder = (form: Form, id: string): string | undefined =>
  readTaxId({ [taxIdField]: form[`${taxIdField}-${id}`] })

export const payerRoutes: ReadonlyArray<PortalRoute> = [
  page(path, options, (view) => start(view)),
  query(`${path}/exportar`, options, async (view, form) => {
    const taxId = readOrder(form, "exportar")
    if (taxId === undefined) return start(view, { order: "exportar", form })
    return exportReply(view.company, view.now, await view.as.payers.export(view.company, taxId))
  }),
  query(`${path}/apagar`, options, (view, form) => {
    const taxId = readOrder(form, "apagar")
    return taxId === undefined ? start(view, { order: "apagar", form }) : confirmErasure(view, taxId)
  }),
  action(`${path}/apagados`, options, async (view, form) => {
    const taxId = readTaxId(form)
    if (taxId === undefined) return { correct: (shown) => start(shown) }
    const count = await view.as.payers.erase(view.company, taxId, { keepReference: form[keepField] === "sim" })
    return { page: erasedPage(count, view.pix.hasRecurrences) }
  }),
]
