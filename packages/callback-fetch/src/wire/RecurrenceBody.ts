import type { ChargeId, EventCycleCharge, RecurrenceEvent, RecurrenceEventKind, Txid } from "@pixcharge/core/charges"
import type { LocalDate } from "@pixcharge/core/calendar"
import { centsFromReais, reaisFromCents } from "@pixcharge/core/money"
import type { EndedBy, RecurrenceEnd, RecurrenceId } from "@pixcharge/core/recurrence"
import * as Result from "effect/Result"
import { hasShape } from "./JsonShape.ts"

/** The names of events about recurrences. */
export const recurrenceTypes: Readonly<Record<RecurrenceEventKind, string>> = {
  "recurrence-approved": "pix.recorrencia.autorizada",
  "recurrence-ended": "pix.recorrencia.encerrada",
  "cycle-due": "pix.ciclo.a-cobrar",
  "payment-scheduled": "pix.pagamento.agendado",
  "payment-failed": "pix.pagamento.falhou",
}

const recurrenceShape = { id: "string", contrato: "string" } as const
const chargeShape = { idFaturaPag: "string", txid: "string", valor: "number" } as const

/** What an event about a recurrence says besides id, kind, company and moment. */
type Said<Event extends RecurrenceEvent = RecurrenceEvent> = Event extends RecurrenceEvent
  ? Omit<Event, "id" | "kind" | "issuer" | "companyName" | "occurredAt">
  : never

const iso = (moment: number | undefined) => (moment === undefined ? undefined : new Date(moment).toISOString())

const encodeCharge = ({ charge }: { readonly charge?: EventCycleCharge }) =>
  charge && { idFaturaPag: charge.chargeId, txid: charge.txid, valor: reaisFromCents(charge.amountCents) }

/** `dados` of an event about a recurrence, without the company; fields that are absent are left out. */
export const encodeRecurrence = (event: RecurrenceEvent): Readonly<Record<string, unknown>> => {
  const recorrencia = { id: event.recurrence.recurrenceId, contrato: event.recurrence.contract }
  switch (event.kind) {
    case "recurrence-approved":
      return { recorrencia, primeiroVencimento: event.firstDueDate }
    case "recurrence-ended": {
      const { reason, by, code } = event.end
      return { recorrencia, encerramento: { motivo: reason, por: by, codigo: code } }
    }
    case "cycle-due":
      return { recorrencia, ciclo: event.cycle, vencimento: event.dueDate, cobrarAte: iso(event.chargeableUntil) }
    case "payment-scheduled":
      return { recorrencia, ciclo: event.cycle, cobranca: encodeCharge(event), em: event.on }
    case "payment-failed": {
      const { cycle, reason, on, code, by, mayRetryUntil } = event
      const facts = { motivo: reason, codigo: code, por: by, novaTentativaAte: iso(mayRetryUntil) }
      return { recorrencia, ciclo: cycle, cobranca: encodeCharge(event), em: on, ...facts }
    }
  }
}

const textIf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)
const momentIf = (value: unknown): number | undefined => {
  const moment = Date.parse(textIf(value) ?? "")
  return Number.isNaN(moment) ? undefined : moment
}

const decodeCharge = (body: unknown) => {
  if (!hasShape(body, chargeShape)) return undefined
  const cents = centsFromReais(body.valor)
  if (Result.isFailure(cents)) return undefined
  return { chargeId: body.idFaturaPag as ChargeId, txid: body.txid as Txid, amountCents: cents.success }
}

/** What `dados` says of a recurrence; undefined where a field that its kind needs is missing. */
export const decodeRecurrence = (
  kind: RecurrenceEventKind,
  dados: Readonly<Record<string, unknown>>,
): (Said & { readonly kind: RecurrenceEventKind }) | undefined => {
  if (!hasShape(dados["recorrencia"], recurrenceShape)) return undefined
  const { id, contrato: contract } = dados["recorrencia"]
  const recurrence = { recurrenceId: id as RecurrenceId, contract }
  if (kind === "recurrence-approved") {
    const firstDueDate = textIf(dados["primeiroVencimento"]) as LocalDate | undefined
    return { kind, recurrence, ...(firstDueDate && { firstDueDate }) }
  }
  if (kind === "recurrence-ended") {
    const { motivo, por, codigo } = Object(dados["encerramento"]) as Record<string, unknown>
    const [reason, by, code] = [textIf(motivo), textIf(por), textIf(codigo)]
    if (reason === undefined) return undefined
    const end = { reason: reason as RecurrenceEnd["reason"], ...(by && { by: by as EndedBy }), ...(code && { code }) }
    return { kind, recurrence, end }
  }
  const cycle = dados["ciclo"]
  if (typeof cycle !== "number") return undefined
  const charge = decodeCharge(dados["cobranca"])
  if (kind === "cycle-due") {
    const [dueDate, chargeableUntil] = [textIf(dados["vencimento"]), momentIf(dados["cobrarAte"])]
    if (dueDate === undefined || chargeableUntil === undefined) return undefined
    return { kind, recurrence, cycle, dueDate: dueDate as LocalDate, chargeableUntil }
  }
  const on = textIf(dados["em"]) as LocalDate | undefined
  if (on === undefined) return undefined
  if (kind === "payment-scheduled") return charge && { kind, recurrence, cycle, charge, on }
  return decodeFailure(dados, { kind, recurrence, cycle, on, ...(charge && { charge }) })
}

const decodeFailure = <Facts extends object>(dados: Readonly<Record<string, unknown>>, facts: Facts) => {
  const [reason, code, by] = [textIf(dados["motivo"]), textIf(dados["codigo"]), textIf(dados["por"])]
  const mayRetryUntil = momentIf(dados["novaTentativaAte"])
  if (reason === undefined) return undefined
  return {
    ...facts,
    reason: reason as "rejected" | "unpaid" | "cancelled" | "missed",
    ...(code && { code }),
    ...(by && { by: by as EndedBy }),
    ...(mayRetryUntil !== undefined && { mayRetryUntil }),
  }
}
