import type { PlainEvent } from "@pixcharge/callback-fetch/receiver"
import type { ChargeId, Txid } from "@pixcharge/core/charges"
import type { Cents } from "@pixcharge/core/money"
import type { Cnpj } from "@pixcharge/core/party"
import { Webhook } from "standardwebhooks"

export const secret = "whsec_c2VncmVkby1kZS10ZXN0ZS1jb20tMzItYnl0ZXMtISE="
export const olderSecret = "whsec_b3V0cm8tc2VncmVkby1kZS10ZXN0ZS0zMi1ieXRlcyE="

export const paidEvent: PlainEvent = {
  id: "evt_0190c2a4b5d67e8f9a0b1c2d3e4f5a6b_paid",
  kind: "paid",
  issuer: "12345678000195" as Cnpj,
  companyName: "Padaria São João",
  occurredAt: Date.UTC(2026, 6, 1, 12),
  occurredAtIso: "2026-07-01T12:00:00.000Z",
  payment: {
    chargeId: "0190c2a4-b5d6-7e8f-9a0b-1c2d3e4f5a6b" as ChargeId,
    txid: "0190c2a4b5d67e8f9a0b1c2d3e4f5a6b" as Txid,
    endToEndId: "E1234567820260701120000000000001",
    amountCents: 1990 as Cents,
  },
}

/** The body as the service writes it. */
export const paidBody = JSON.stringify({
  id: paidEvent.id,
  tipo: "pix.pago",
  timestamp: "2026-07-01T12:00:00.000Z",
  dados: {
    empresa: { cnpj: "12345678000195", nome: "Padaria São João" },
    pagamento: {
      idFaturaPag: "0190c2a4-b5d6-7e8f-9a0b-1c2d3e4f5a6b",
      txid: "0190c2a4b5d67e8f9a0b1c2d3e4f5a6b",
      endToEndId: "E1234567820260701120000000000001",
      valor: 19.9,
    },
  },
})

/** Headers signed by the Standard Webhooks library. */
export const signedHeaders = (
  body: string = paidBody,
  { id = paidEvent.id, at = Date.now(), key = secret } = {},
): Record<string, string> => ({
  "content-type": "application/json",
  "webhook-id": id,
  "webhook-timestamp": String(Math.floor(at / 1_000)),
  "webhook-signature": new Webhook(key).sign(id, new Date(at), body),
})
