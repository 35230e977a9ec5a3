import type { Pix } from "@pixcharge/embed"
import type { Right } from "./Access.ts"

/** The sections of the navigation, by their ids. */
const sectionTitles = {
  dashboard: "Painel",
  charges: "Cobranças",
  recurrences: "Recorrências",
  exceptions: "Sem cobrança",
  deliveries: "Eventos",
  endpoints: "Webhooks",
  reconciliation: "Conciliação",
  payers: "Pagadores",
  audit: "Auditoria",
} as const

/** The parts of the portal, as the navigation lists them. */
const sections = {
  dashboard: { path: "", right: "read" },
  charges: { path: "/cobrancas", right: "read" },
  recurrences: { path: "/recorrencias", right: "read" },
  exceptions: { path: "/excecoes", right: "read" },
  deliveries: { path: "/eventos", right: "read" },
  endpoints: { path: "/pontos", right: "events" },
  reconciliation: { path: "/conciliacao", right: "reconcile" },
  payers: { path: "/pagadores", right: "payers" },
  audit: { path: "/auditoria", right: "read" },
} as const satisfies Readonly<Record<string, { readonly path: string; readonly right: Right }>>

export type SectionId = keyof typeof sections

/** Somebody with rights, at an instance. */
interface Seer {
  readonly may: (right: Right) => boolean
  readonly pix: Pick<Pix, "hasRecurrences">
}

/** The sections that somebody with these rights may open. Recurrences are one where the instance has them. */
export const sectionsFor = ({ may, pix }: Seer) =>
  (Object.keys(sections) as ReadonlyArray<SectionId>).flatMap((id) => {
    const { path, right } = sections[id]
    const isThere = id !== "recurrences" || pix.hasRecurrences
    return may(right) && isThere ? [{ id, path, title: sectionTitles[id] }] : []
  })
