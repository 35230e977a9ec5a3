import type { Pix } from "@pixcharge/embed"
import type { Right } from "./Access.ts"

const sections = {
  dashboard: { path: "", right: "read", title: "Painel" },
  charges: { path: "/cobrancas", right: "read", title: "Cobranças" },
  recurrences: { path: "/recorrencias", right: "read", title: "Recorrências" },
  exceptions: { path: "/excecoes", right: "read", title: "Sem cobrança" },
  deliveries: { path: "/eventos", right: "read", title: "Eventos" },
  endpoints: { path: "/pontos", right: "events", title: "Webhooks" },
  reconciliation: { path: "/conciliacao", right: "reconcile", title: "Conciliação" },
  payers: { path: "/pagadores", right: "payers", title: "Pagadores" },
  audit: { path: "/auditoria", right: "read", title: "Auditoria" },
} as const satisfies Readonly<Record<string, { readonly path: string; readonly right: Right; readonly title: string }>>

export type SectionId = keyof typeof sections

interface Visitor {
  readonly may: (right: Right) => boolean
  readonly pix: Pick<Pix, "hasRecurrences">
}

/** Recurrences only if the instance has them. */
export const sectionsFor = ({ may, pix }: Visitor) =>
  (Object.keys(sections) as ReadonlyArray<SectionId>).flatMap((id) => {
    const { path, right, title } = sections[id]
    const isOffered = id !== "recurrences" || pix.hasRecurrences
    return may(right) && isOffered ? [{ id, path, title }] : []
  })
