import type { DeliveryAttempt, DeliveryRecord } from "@pixcharge/core"
import type { EventKind } from "@pixcharge/core/charges"
import type { Html } from "@pixcharge/web"
import { badge, type Tone } from "../../parts/badge.ts"

type Status = DeliveryRecord["status"]

/** The kinds of events. */
export const kindTexts: Readonly<Record<EventKind, string>> = {
  paid: "Pagamento recebido",
  refunded: "Devolução concluída",
  "refund-failed": "Devolução não realizada",
  test: "Teste",
  "recurrence-approved": "Recorrência autorizada",
  "recurrence-ended": "Recorrência encerrada",
  "cycle-due": "Ciclo a cobrar",
  "payment-scheduled": "Pagamento agendado",
  "payment-failed": "Pagamento não realizado",
}

/** The status of a delivery. */
export const statusTexts: Readonly<Record<Status, { readonly text: string; readonly tone?: Tone }>> = {
  waiting: { text: "Aguardando", tone: "info" },
  delivered: { text: "Entregue", tone: "good" },
  dead: { text: "Não entregue", tone: "bad" },
  superseded: { text: "Retirado da fila" },
}

export const statusBadge = ({ status }: Pick<DeliveryRecord, "status">): Html =>
  badge(statusTexts[status].text, statusTexts[status].tone)

/** The name of an endpoint. The host's own function has an id that isn't for people. */
export const endpointName = (id: string): string => (id === "host" ? "Aplicação (interno)" : id)

/** How an attempt went. */
export const attemptText = ({ status, error }: DeliveryAttempt): string => {
  // The host's own function has no status: it accepted the event if it didn't throw.
  if (status === undefined) return error === undefined ? "Aceito" : `Sem resposta: ${error}`
  return error === undefined ? `HTTP ${status}` : `HTTP ${status}: ${error}`
}
