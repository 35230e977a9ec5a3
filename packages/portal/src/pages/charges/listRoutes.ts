import { redirectReply } from "@pixcharge/web"
import { page, type PortalRoute, query } from "../../frame/PortalRoute.ts"
import { filterFields, readAddressFilter, readChargeFilter, sealFilter } from "./chargeFilter.ts"
import { chargeList, readCharges } from "./chargeList.ts"
import { chargesPath } from "./chargePaths.ts"

const section = "charges"

/** The list of charges. A search is sent as a form, and leads to an address in which nobody else can read a name or document. */
export const listRoutes: ReadonlyArray<PortalRoute> = [
  page(chargesPath, { section }, async (view) => chargeList(view, await readAddressFilter(view)), {
    everyMs: 3_000,
    look: async (view) => readCharges(view, await readAddressFilter(view)),
  }),
  query(chargesPath, { section }, async (view, form) => {
    const filter = readChargeFilter((name) => form[name], view.now)
    if (filter.problem !== undefined) return chargeList(view, filter)
    const search = new URLSearchParams(filterFields(await sealFilter(view, filter)))
    return redirectReply(`${view.link(chargesPath)}?${search.toString()}`)
  }),
]
