import {
  brasiliaWallClock,
  type Company,
  customerReceipt,
  merchantReceipt,
  type PaidCharge,
  reaisFromCents,
  type RefundedCharge,
  type RefundingCharge,
} from "@pixcharge/core"
import * as Schema from "effect/Schema"
import { results } from "./messages.ts"

/** Body of the 200 of `GET /api/pix/{idFaturaPag}` (docs/interface.md, Ask whether it was paid). */
export const StatusBody = Schema.Struct({
  sucesso: Schema.Literal(true),
  data: Schema.Struct({
    retTexto: Schema.String,
    response: Schema.Struct({
      id: Schema.String,
      referencia: Schema.String,
      tpComando: Schema.Int,
      dRetorno: Schema.String,
      msgOperador: Schema.String,
      viaCliente: Schema.String,
      viaEstabelecimento: Schema.String,
      tpConfirmacao: Schema.Int,
      numCartao: Schema.String,
      vLanc: Schema.Finite,
      dTransacao: Schema.String,
      arqRetorno: Schema.String,
      dInsert: Schema.String,
      dUpdate: Schema.String,
    }),
  }),
})

/** Body of the 200 of a simulated payment (decision 17). */
export const SimulationBody = Schema.Struct({
  sucesso: Schema.Literal(true),
  data: Schema.Struct({ retTexto: Schema.String }),
})

/** Body of the 200 and 202 of `DELETE /api/pix/{idFaturaPag}` (decision 18). */
export const RefundBody = Schema.Struct({
  sucesso: Schema.Literal(true),
  data: Schema.Struct({
    retTexto: Schema.String,
    transacaoId: Schema.String,
    referencia: Schema.String,
    vLanc: Schema.Finite,
    dRetorno: Schema.String,
  }),
})

const utc = (epochMs: number): string => new Date(epochMs).toISOString()

/** The paid charge as its caller sees it; decisions 19 to 21 for the fields that the interface leaves open. */
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

/** The same for every simulated payment. */
export const simulationBody: typeof SimulationBody.Type = { sucesso: true, data: { retTexto: results.simulated } }

/** The refund as its caller sees it, carried out or under way. */
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
