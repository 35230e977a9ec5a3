import type { Crumb } from "../../frame/Content.ts"
import { listTexts } from "./chargeTexts.ts"

/** The list's path below the company. */
export const chargesPath = "/cobrancas"

/** A charge's path below the company. */
export const chargePath = (id: string): string => `${chargesPath}/${id}`

/** Above each charge's page. */
export const chargesCrumb: Crumb = { title: listTexts.title, path: chargesPath }

/** Where money of a charge is sent back. */
export const refundPath = (id: string): string => `${chargePath(id)}/devolver`

/** Where a charge is cancelled. */
export const cancelPath = (id: string): string => `${chargePath(id)}/cancelar`

/** Where the payer of a charge is shown. */
export const payerPath = (id: string): string => `${chargePath(id)}/pagador`
