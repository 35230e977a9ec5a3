import { redirectReply } from "@pixcharge/web"
import { sealText } from "../lists/soughtText.ts"
import { action, page, type PortalRoute, query } from "../../frame/PortalRoute.ts"
import { confirmEnd, confirmRetry, confirmSkip, end, retry, skip } from "./recurrenceActions.ts"
import { filterFields, readAddressFilter, readFormFilter, readRecurrences, recurrenceList } from "./recurrenceList.ts"
import { readCursor, readRecurrence } from "./readRecurrence.ts"
import { recurrencePage } from "./recurrencePage.ts"
import { recurrencesPath } from "./recurrencePaths.ts"

const section = "recurrences"
const changes = { right: "recurrences", section } as const
const chargeChanges = { right: "recurrences", section: "charges" } as const

/** Recurrences: their list, and each with its cycles; ending one, cancelling its next charge, and asking for a new attempt. */
export const recurrenceRoutes: ReadonlyArray<PortalRoute> = [
  page(recurrencesPath, { section }, async (view) => recurrenceList(view, await readAddressFilter(view)), {
    everyMs: 5_000,
    look: async (view) => readRecurrences(view, await readAddressFilter(view)),
  }),
  query(recurrencesPath, { section }, async (view, form) => {
    const filter = readFormFilter(form)
    if (filter.problem !== undefined) return recurrenceList(view, filter)
    const sealed = { ...filter, ...(await sealText(view, filter.text)) }
    return redirectReply(`${view.link(recurrencesPath)}?${new URLSearchParams(filterFields(sealed)).toString()}`)
  }),
  page("/recorrencias/:id", { section }, (view) => recurrencePage(view, view.params.id), {
    everyMs: 2_000,
    look: (view) => readRecurrence(view, view.params.id, readCursor(view)),
  }),
  page("/recorrencias/:id/encerrar", changes, (view) => confirmEnd(view, view.params.id)),
  action("/recorrencias/:id/encerrar", changes, (view) => end(view, view.params.id)),
  page("/recorrencias/:id/cancelar", changes, (view) => confirmSkip(view, view.params.id)),
  action("/recorrencias/:id/cancelar", changes, (view, form) => skip(view, view.params.id, form)),
  page("/cobrancas/:id/tentar", chargeChanges, (view) => confirmRetry(view, view.params.id)),
  action("/cobrancas/:id/tentar", chargeChanges, (view, form) => retry(view, view.params.id, form)),
]
