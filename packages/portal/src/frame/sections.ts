import type { Right } from "./Access.ts"
import { sectionTitles } from "./frameTexts.ts"

/** The parts of the portal, as the navigation lists them. */
const sections = {
  dashboard: { path: "", right: "read" },
  charges: { path: "/cobrancas", right: "read" },
  exceptions: { path: "/excecoes", right: "read" },
  deliveries: { path: "/eventos", right: "read" },
  endpoints: { path: "/pontos", right: "events" },
  reconciliation: { path: "/conciliacao", right: "reconcile" },
  payers: { path: "/pagadores", right: "payers" },
  audit: { path: "/auditoria", right: "read" },
} as const satisfies Readonly<Record<string, { readonly path: string; readonly right: Right }>>

export type SectionId = keyof typeof sections

/** The sections that somebody with these rights may open. */
export const sectionsFor = (may: (right: Right) => boolean) =>
  (Object.keys(sections) as ReadonlyArray<SectionId>).flatMap((id) => {
    const { path, right } = sections[id]
    return may(right) ? [{ id, path, title: sectionTitles[id] }] : []
  })
