import type { AuditChange } from "@pixcharge/core"
import { type Html, html } from "@pixcharge/web"
import type { Content } from "../../frame/Content.ts"
import { page, type PortalRoute } from "../../frame/PortalRoute.ts"
import type { View } from "../../frame/View.ts"
import { field, type FieldProblem } from "../../parts/field.ts"
import { cursorField, pager } from "../../parts/pager.ts"
import { type PeriodChoice, fromField, periodQuery, periodText, readPeriod, untilField } from "../../parts/period.ts"
import { choiceField, filterForm } from "../lists/filterForm.ts"
import { auditTable } from "./auditTable.ts"
import { changeNames } from "./auditTexts.ts"

const pageLength = 50
const kindField = "tipo"
const byField = "quem"

const kinds = (Object.keys(changeNames) as ReadonlyArray<AuditChange["kind"]>).toSorted((a, b) =>
  changeNames[a].localeCompare(changeNames[b], "pt-BR"),
)

interface Input {
  /** Undefined for all records: they have moments of real time, which may be far from a sandbox's clock. */
  readonly period: PeriodChoice | undefined
  readonly kind: AuditChange["kind"] | undefined
  readonly by: string
}

const readInput = ({ query, now }: View): Input => {
  const [from, until] = [query.get(fromField), query.get(untilField)]
  return {
    period: from || until ? readPeriod({ from, until }, { days: 1 }, now) : undefined,
    kind: kinds.find((each) => each === query.get(kindField)),
    by: query.get(byField)?.trim() ?? "",
  }
}

const dayField = (name: string, label: string, value: string | undefined, problem: FieldProblem | undefined): Html =>
  field({ name, label, problem }, (attributes) => html`<input type="date" ${attributes} value="${value}" />`)

const filter = (view: View, { period, kind, by }: Input): Html =>
  filterForm(
    view.link("/auditoria"),
    html`${dayField(fromField, "De", period?.from, period?.problem)}
    ${dayField(untilField, "Até", period?.until, period?.problem)}
    ${choiceField(kindField, "O quê", [["", "Tudo"], ...kinds.map((each) => [each, changeNames[each]] as const)], kind ?? "")}
    ${field(
      { name: byField, label: "Quem", hint: "O nome inteiro, como aparece na lista." },
      (attributes) => html`<input ${attributes} value="${by}" autocomplete="off" spellcheck="false" />`,
    )}`,
  )

const renderList = async (view: View, { period, kind, by }: Input): Promise<Awaited<Html>> => {
  const cursor = view.query.get(cursorField) ?? undefined
  const { items, cursor: next } = await view.pix.audit.list(
    view.company,
    {
      ...(period !== undefined && { period: period.period }),
      ...(kind !== undefined && { kind }),
      ...(by !== "" && { by }),
    },
    { limit: pageLength, ...(cursor !== undefined && { cursor }) },
  )
  const fields = {
    ...(period !== undefined && periodQuery(period)),
    [kindField]: kind ?? "",
    [byField]: by,
  }
  const when = period === undefined ? "Desde o início, no horário de Brasília" : periodText(period)
  return html`${auditTable(`${when}, do mais recente ao mais antigo`, items, view)}
  ${pager({ query: view.query, path: view.link("/auditoria"), fields, next })}`
}

const auditList = (view: View): Content => {
  const input = readInput(view)
  const isWrong = input.period?.problem !== undefined
  return {
    title: "Auditoria",
    ...(isWrong && { status: 422 }),
    body: html`<p class="muted">Quem fez o quê, e quando. Nenhum registro é alterado ou apagado.</p>
      ${filter(view, input)} ${!isWrong && renderList(view, input)}`,
  }
}

/** Who did what, by kind, person and period. */
export const auditRoutes: ReadonlyArray<PortalRoute> = [page("/auditoria", { section: "audit" }, auditList)]
