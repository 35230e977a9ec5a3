import type { PlainException } from "@pixcharge/embed"
import type { Tone } from "../../parts/badge.ts"

/** Why a payment settled no charge. */
export const reasonTexts: Readonly<Record<PlainException["reason"], string>> = {
  furtherPayment: "A cobrança já tinha sido paga",
  cancelledCharge: "A cobrança tinha sido cancelada",
  unmatched: "Nenhuma cobrança corresponde ao pagamento",
}

interface StateText {
  /** As `pix.exceptions.search` names it. */
  readonly id: "open" | "refunding" | "returned" | "resolved"
  readonly text: string
  readonly tone?: Tone
}

/** Where an exception stands. */
export const stateTexts: Readonly<Record<PlainException["state"]["_tag"], StateText>> = {
  Open: { id: "open", text: "Aberta", tone: "warn" },
  Refunding: { id: "refunding", text: "Em devolução", tone: "info" },
  Refunded: { id: "returned", text: "Devolvida", tone: "good" },
  Resolved: { id: "resolved", text: "Mantida" },
}
