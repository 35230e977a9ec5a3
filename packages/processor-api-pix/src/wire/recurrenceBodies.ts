import { decimalFromCents } from "@pixcharge/core/money"
import type { Payer } from "@pixcharge/core/party"
import type { Charge } from "@pixcharge/core/charges"
import type { ChargeCycle, Journey, Recurrence } from "@pixcharge/core/recurrence"
import type { ReceivingAccount } from "../ReceivingAccount.ts"
import { writePayer, writeTaxId } from "./CobBody.ts"
import { instantText } from "./paths.ts"

const periods = {
  weekly: "SEMANAL",
  monthly: "MENSAL",
  quarterly: "TRIMESTRAL",
  halfYearly: "SEMESTRAL",
  yearly: "ANUAL",
} as const

const accountKinds = { checking: "CORRENTE", savings: "POUPANCA", payment: "PAGAMENTO" } as const

const valor = ({ amountCents, floorCents }: Recurrence) => {
  if (amountCents !== undefined) return { valor: { valorRec: decimalFromCents(amountCents) } }
  return floorCents === undefined ? {} : { valor: { valorMinimoRecebedor: decimalFromCents(floorCents) } }
}

/** What a recurrence is offered by besides its terms. */
export interface OfferedBy {
  /** The location of its payload, for a code. */
  readonly locationId?: number
  /** The immediate charge that is paid with the authorisation. */
  readonly chargeTxid?: string
}

/** The body that makes a recurrence (`RecSolicitada`). */
export const recurrenceBody = (recurrence: Recurrence, payer: Payer, { locationId, chargeTxid }: OfferedBy) => ({
  vinculo: {
    contrato: recurrence.contract,
    devedor: writePayer(payer),
    objeto: recurrence.title,
  },
  calendario: {
    dataInicial: recurrence.startDate,
    ...(recurrence.endDate !== undefined && { dataFinal: recurrence.endDate }),
    periodicidade: periods[recurrence.period],
  },
  ...valor(recurrence),
  politicaRetentativa: recurrence.retries === "none" ? "NAO_PERMITE" : "PERMITE_3R_7D",
  ...(locationId !== undefined && { loc: locationId }),
  ...(chargeTxid !== undefined && { ativacao: { dadosJornada: { txid: chargeTxid } } }),
})

/** The body of a request to the payer's bank (`SolicRecSolicitada`). */
export const requestBody = (bankId: string, payer: Payer, journey: Journey & { readonly by: "bank" }) => ({
  idRec: bankId,
  calendario: { dataExpiracaoSolicitacao: instantText(journey.until) },
  destinatario: {
    ...writeTaxId(payer),
    ispbParticipante: journey.ispb,
    conta: journey.account,
    ...(journey.branch !== undefined && { agencia: journey.branch }),
  },
})

/** The body that makes a cycle's charge (`CobRSolicitada`): the payer's bank moves a due date that is no business day. */
export const cycleBody = (
  { amountCents, dueDate }: Pick<Charge, "amountCents" | "dueDate">,
  { bankId }: ChargeCycle,
  { branch, number, kind }: ReceivingAccount,
) => ({
  idRec: bankId,
  calendario: { dataDeVencimento: dueDate },
  valor: { original: decimalFromCents(amountCents) },
  ajusteDiaUtil: true,
  recebedor: { conta: number, tipoConta: accountKinds[kind], ...(branch !== undefined && { agencia: branch }) },
})

/** The body for a bank that demands a debtor, of whom it takes nothing that the recurrence has. */
export const withDebtor = <Body extends object>(body: Body) => ({ ...body, devedor: {} })

/** The body that ends a recurrence or takes a cycle's charge back. */
export const cancellationBody = { status: "CANCELADA" }
