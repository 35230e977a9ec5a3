import type { AuditChange } from "@pixcharge/core"
import { html } from "@pixcharge/web"
import type { Content } from "../../frame/Content.ts"
import { page, type PortalRoute } from "../../frame/PortalRoute.ts"
import type { View } from "../../frame/View.ts"
import { field } from "../../parts/field.ts"
import { cursorField, linkStep, pager } from "../../parts/pager.ts"
import { periodFields, periodQuery, periodText } from "../../parts/period.ts"
import { askedPeriod } from "../lists/askedPeriod.ts"
import { choiceField, filterForm } from "../lists/filterForm.ts"
import { auditTable } from "./auditTable.ts"
import { changeNames } from "./auditTexts.ts"

const pageLength = 50
const kindField = "tipo"
const byField = "quem"

const kinds = (Object.keys(changeNames) as ReadonlyArray<AuditChange["kind"]>).toSorted((a, b) =>
  changeNames[a].localeCompare(changeNames[b], "pt-BR"),
)

const auditList = async (view: View): Promise<Content> => {
  const asked = askedPeriod(view, { days: 30 })
  const kind = kinds.find((each) => each === view.query.get(kindField))
  const by = view.query.get(byField)?.trim() ?? ""
  const cursor = view.query.get(cursorField) ?? undefined
  const { items, cursor: next } = await view.pix.audit.list(
    view.company,
    { period: asked.period, ...(kind !== undefined && { kind }), ...(by !== "" && { by }) },
    { limit: pageLength, ...(cursor !== undefined && { cursor }) },
  )
  const fields = html`${periodFields(asked)}
  ${choiceField(kindField, "O quê", [["", "Tudo"], ...kinds.map((each) => [each, changeNames[each]] as const)], kind ?? "")}
  ${field({ name: byField, label: "Quem", hint: "O nome inteiro, como aparece na lista." }, (attributes) => html`<input ${attributes} value="${by}" autocomplete="off" />`)}`
  const step = linkStep(view.link("/auditoria"), { ...periodQuery(asked), [kindField]: kind ?? "", [byField]: by })
  return {
    title: "Auditoria",
    body: html`<p class="muted">Quem fez o quê, e quando. Nada daqui é alterado nem apagado.</p>
      ${filterForm(view.link("/auditoria"), fields)}
      ${auditTable(`${periodText(asked)}, o mais recente primeiro`, items, view)} ${pager({ at: cursor, next, step })}`,
  }
}

/** Who did what, by kind, person and period. */
export const auditRoutes: ReadonlyArray<PortalRoute> = [page("/auditoria", { section: "audit" }, auditList)]
