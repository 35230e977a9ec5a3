import type { Crumb } from "../../frame/Content.ts"
import { listTexts } from "./chargeTexts.ts"

/** The list's path below the company. */
export const chargesPath = "/cobrancas"

/** The path of the list as a file. */
export const chargesFilePath = "/cobrancas.csv"

/** The path of a period's payments as a file. */
export const paymentsFilePath = "/pagamentos.csv"

/** The path where a charge is issued. */
export const newChargePath = "/cobrancas/nova"

/** The path where a charge is sent to its payer. */
export const sendPath = (id: string): string => `${chargePath(id)}/enviar`

/** A charge's path below the company. */
export const chargePath = (id: string): string => `${chargesPath}/${id}`

/** The crumb above each charge's page. */
export const chargesCrumb: Crumb = { title: listTexts.title, path: chargesPath }

/** The path where money of a charge is returned. */
export const refundPath = (id: string): string => `${chargePath(id)}/devolver`

/** The path where a charge is cancelled. */
export const cancelPath = (id: string): string => `${chargePath(id)}/cancelar`

/** The path where the payer of a charge is shown. */
export const payerPath = (id: string): string => `${chargePath(id)}/pagador`
