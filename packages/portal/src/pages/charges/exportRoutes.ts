import type { Reply } from "@pixcharge/core"
import { csvReply } from "../../csv/csvReply.ts"
import type { Content } from "../../frame/Content.ts"
import { page, type PortalRoute } from "../../frame/PortalRoute.ts"
import type { View } from "../../frame/View.ts"
import { readQueryPeriod } from "../lists/readQueryPeriod.ts"
import { defaultDays, readAddressFilter } from "./chargeFilter.ts"
import { chargeList, readCharges } from "./chargeList.ts"
import { chargesFilePath, paymentsFilePath } from "./chargePaths.ts"
import { chargeHeader, chargeRows, paymentHeader, paymentRows } from "./exportRows.ts"

const section = "charges"

/** Rows that are read at once. */
const pageLimit = 500

const name = (what: string, { company }: View, { from, until }: { readonly from: string; readonly until: string }) =>
  [what, company, from, until].join("-")

const chargesFile = async (view: View): Promise<Reply | Content> => {
  const filter = await readAddressFilter(view)
  if (filter.problem !== undefined) return chargeList(view, filter)
  const read = (cursor?: string) => readCharges(view, { ...filter, cursor }, pageLimit)
  return csvReply({ name: name("cobrancas", view, filter.period), header: chargeHeader, rows: chargeRows(read) })
}

const paymentsFile = async (view: View): Promise<Reply | Content> => {
  const period = readQueryPeriod(view, { days: defaultDays })
  if (period.problem !== undefined) return chargeList(view, await readAddressFilter(view))
  const rows = paymentRows(view.pix, view.company, period.period)
  return csvReply({ name: name("pagamentos", view, period), header: paymentHeader, rows })
}

/** The charges of a list, and the payments of its period, as files. */
export const exportRoutes: ReadonlyArray<PortalRoute> = [
  page(chargesFilePath, { section }, chargesFile),
  page(paymentsFilePath, { section }, paymentsFile),
]
