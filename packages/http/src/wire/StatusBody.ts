import { brasiliaWallClock } from "@pixcharge/core/calendar"
import {
  customerReceipt,
  merchantReceipt,
  type PaidCharge,
  type RefundedCharge,
  type RefundingCharge,
} from "@pixcharge/core/charges"
import { reaisFromCents } from "@pixcharge/core/money"
import type { Company } from "@pixcharge/core/party"
import type { RefundBody, SimulationBody, StatusBody } from "./schemas/StatusBody.ts"
import { results } from "./messages.ts"

const utc = (epochMs: number): string => new Date(epochMs).toISOString()

/** Decisions 19 to 21 define the fields that the interface leaves open. */
export const statusBody = (charge: PaidCharge, company: Company): typeof StatusBody.Type => {
  const { payment } = charge
  return {
    sucesso: true,
    data: {
      retTexto: results.paid,
      response: {
        id: charge.transactionId,
        referencia: charge.id,
        tpComando: 1,
        dRetorno: utc(payment.recordedAt),
        msgOperador: results.approved,
        viaCliente: customerReceipt(charge, company),
        viaEstabelecimento: merchantReceipt(charge, company),
        tpConfirmacao: 1,
        numCartao: "",
        vLanc: reaisFromCents(payment.amountCents),
        dTransacao: utc(payment.paidAt),
        arqRetorno: "",
        dInsert: brasiliaWallClock(charge.createdAt),
        dUpdate: brasiliaWallClock(charge.updatedAt),
      },
    },
  }
}

export const simulationBody: typeof SimulationBody.Type = { sucesso: true, data: { retTexto: results.simulated } }

/** The body for a refund, complete or under way. */
export const refundBody = (charge: RefundedCharge | RefundingCharge): typeof RefundBody.Type => ({
  sucesso: true,
  data: {
    retTexto: charge._tag === "Refunded" ? results.refunded : results.refunding,
    transacaoId: charge.transactionId,
    referencia: charge.id,
    vLanc: reaisFromCents(charge.payment.amountCents),
    dRetorno: utc(charge._tag === "Refunded" ? charge.refundedAt : charge.refund.requestedAt),
  },
})
