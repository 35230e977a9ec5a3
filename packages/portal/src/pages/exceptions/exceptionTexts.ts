import type { PlainException } from "@pixcharge/embed"
import type { Html } from "@pixcharge/web"
import { badge, type Tone } from "../../parts/badge.ts"

/** Why a payment settled no charge. */
export const reasonTexts: Readonly<Record<PlainException["reason"], string>> = {
  furtherPayment: "A cobrança já tinha sido paga",
  cancelledCharge: "A cobrança tinha sido cancelada",
  unmatched: "Nenhuma cobrança corresponde ao pagamento",
}

/** The status of an exception. */
export const statusTexts: Readonly<Record<PlainException["status"], { readonly text: string; readonly tone?: Tone }>> =
  {
    open: { text: "Em aberto", tone: "warn" },
    refunding: { text: "Em devolução", tone: "info" },
    returned: { text: "Devolvido", tone: "good" },
    resolved: { text: "Mantido" },
  }

export const statusBadge = ({ status }: PlainException): Html =>
  badge(statusTexts[status].text, statusTexts[status].tone)
