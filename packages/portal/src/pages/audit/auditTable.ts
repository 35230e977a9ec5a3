import type { AuditRecord } from "@pixcharge/core"
import { type Html, html } from "@pixcharge/web"
import type { View } from "../../frame/View.ts"
import { formats } from "../../parts/formats.ts"
import { type Column, listTable } from "../lists/listTable.ts"
import { changeDetail, changeNames, changePath } from "./auditTexts.ts"

const renderChange = ({ link }: View, { change }: AuditRecord): Html => {
  const [name, path] = [changeNames[change.kind], changePath(change)]
  return path === undefined ? html`${name}` : html`<a href="${link(path)}">${name}</a>`
}

const columnsFor = (view: View): ReadonlyArray<Column<AuditRecord>> => [
  { title: "Quando", cell: ({ at }) => formats.dateTime(at) },
  { title: "Quem", cell: ({ by }) => by ?? html`<span class="muted">o sistema</span>` },
  { title: "O quê", onPhone: "title", cell: (record) => renderChange(view, record) },
  {
    title: "Detalhe",
    onPhone: "rest",
    cell: ({ change }) => html`<span class="break">${changeDetail(change) ?? "—"}</span>`,
  },
]

/** Who changed what and when. */
export const auditTable = (caption: string, records: ReadonlyArray<AuditRecord>, view: View): Html =>
  listTable(caption, columnsFor(view), records, "Nenhum registro com estes filtros.")
