import { redirectReply } from "@pixcharge/web"
import { page, type PortalRoute, query } from "../../frame/PortalRoute.ts"
import type { View } from "../../frame/View.ts"
import { type FilterInput, filterFields, isPublicText, readChargeFilter, textField } from "./chargeFilter.ts"
import { chargeList, readCharges } from "./chargeList.ts"
import { chargesPath } from "./chargePaths.ts"
import { listTexts } from "./chargeTexts.ts"

const section = "charges"

const readFilter = (view: View): FilterInput => {
  const filter = readChargeFilter((name) => view.query.get(name), view.now)
  const problem = isPublicText(filter.text) ? filter.problem : { field: textField, text: listTexts.textNotInAddress }
  return problem === undefined ? filter : { ...filter, text: "", problem }
}

/** The list of charges: by a URL that can be kept and sent on, or by a form if it searches a name or document. */
export const listRoutes: ReadonlyArray<PortalRoute> = [
  page(chargesPath, { section }, (view) => chargeList(view, readFilter(view)), {
    everyMs: 3_000,
    look: (view) => readCharges(view, readFilter(view)),
  }),
  query(chargesPath, { section }, (view, form) => {
    const filter = readChargeFilter((name) => form[name], view.now)
    if (filter.problem !== undefined || !isPublicText(filter.text)) return chargeList(view, filter)
    const search = new URLSearchParams(filterFields(filter))
    return redirectReply(`${view.link(chargesPath)}?${search.toString()}`)
  }),
]
