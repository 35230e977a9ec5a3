import type { DebitAttempt } from "@pixcharge/core/recurrence"
import { isLiveAttempt } from "@pixcharge/core/recurrence"
import type { PlainCharge } from "@pixcharge/embed"
import type { Tone } from "../../parts/badge.ts"

interface StatusText {
  readonly text: string
  readonly tone?: Tone
}

const texts = {
  requested: { text: "Em registro no banco", tone: "info" },
  registered: { text: "Registrada no banco", tone: "info" },
  scheduled: { text: "Agendada", tone: "info" },
  failed: { text: "Tentativa sem sucesso", tone: "warn" },
  rejected: { text: "Rejeitada", tone: "bad" },
  unpaid: { text: "Não debitada", tone: "bad" },
} as const satisfies Readonly<Record<string, StatusText>>

/** How the debit of a cycle's charge stands until it is paid; undefined for any other charge. */
export const debitStatus = ({ _tag, debit }: PlainCharge): StatusText | undefined => {
  if (_tag !== "Pending" || debit === undefined) return undefined
  const { status, failure, attempts, retries } = debit
  const isFinal = status === "rejected" || status === "unpaid"
  const isAwaited = retries.some((on) => on > (failure?.on ?? ""))
  const waits = failure !== undefined && !attempts.some(isLiveAttempt) && !isAwaited
  return waits && !isFinal ? texts.failed : texts[status]
}

/** The status of an attempt, in a word. */
export const attemptTexts: Readonly<Record<DebitAttempt["status"], StatusText>> = {
  requested: { text: "Enviada", tone: "info" },
  scheduled: { text: "Agendada", tone: "info" },
  paid: { text: "Paga", tone: "good" },
  rejected: { text: "Rejeitada", tone: "bad" },
  expired: { text: "Sem sucesso", tone: "bad" },
  cancelled: { text: "Cancelada" },
  unknown: { text: "Desconhecida", tone: "warn" },
}
