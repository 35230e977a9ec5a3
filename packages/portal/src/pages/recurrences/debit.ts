import type { LocalDate } from "@pixcharge/core/calendar"
import { type DebitAttempt, findRetryDay, isLiveAttempt } from "@pixcharge/core/recurrence"
import type { PlainCharge } from "@pixcharge/embed"
import { type Html, html } from "@pixcharge/web"
import type { View } from "../../frame/View.ts"
import { badge, facts, type Tone } from "../../parts/elements.ts"
import { formats } from "../../parts/formats.ts"
import { type Column, listTable } from "../../parts/list.ts"
import { recurrencePath, recurrenceTexts } from "./recurrenceTexts.ts"

const debitTexts = {
  title: "Débito automático",
  kind: "Tipo",
  kindText: "Cobrança de um ciclo do Pix Automático, debitada no banco do pagador",
  recurrence: "Recorrência",
  generation: (cycle: number, generation: number) =>
    generation === 1 ? String(cycle) : `${cycle} (${generation}ª cobrança)`,
  settlesOn: "Débito previsto para",
  retryUntil: "Novas tentativas até",
  nextAttempt: "Próxima tentativa automática",
  attempts: "Tentativas de débito",
  noAttempts: "Nenhuma tentativa ainda.",
  day: "Dia",
  attempt: "Tentativa",
  result: "Situação",
  code: "Código do banco",
  endToEndId: "ID da transação",
  kinds: { first: "Primeira", retry: "Nova tentativa", resent: "Reenvio entre os bancos" },
  requested: "Nova tentativa solicitada. Aguardando a resposta do banco.",
} as const

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

/** Undefined unless the charge waits for its debit. */
export const debitStatus = ({ _tag, debit }: PlainCharge): StatusText | undefined => {
  if (_tag !== "Pending" || debit === undefined) return undefined
  const { status, failure, attempts, retries } = debit
  const isFinal = status === "rejected" || status === "unpaid"
  const isAwaited = retries.some((on) => on > (failure?.on ?? ""))
  const waits = failure !== undefined && !attempts.some(isLiveAttempt) && !isAwaited
  return waits && !isFinal ? texts.failed : texts[status]
}

const attemptTexts: Readonly<Record<DebitAttempt["status"], StatusText>> = {
  requested: { text: "Enviada", tone: "info" },
  scheduled: { text: "Agendada", tone: "info" },
  paid: { text: "Paga", tone: "good" },
  rejected: { text: "Rejeitada", tone: "bad" },
  expired: { text: "Sem sucesso", tone: "bad" },
  cancelled: { text: "Cancelada" },
  unknown: { text: "Desconhecida", tone: "warn" },
}

/** A paid charge isn't looked up again, so its payment identifies the paid attempt. */
const attemptStatus = ({ status, endToEndId }: DebitAttempt, charge: PlainCharge): DebitAttempt["status"] =>
  "payment" in charge && charge.payment.endToEndId === endToEndId ? "paid" : status

const columnsFor = (charge: PlainCharge): ReadonlyArray<Column<DebitAttempt>> => [
  { title: debitTexts.day, onPhone: "title", cell: ({ on }) => formats.day(on) },
  { title: debitTexts.attempt, cell: ({ kind }) => debitTexts.kinds[kind] },
  {
    title: debitTexts.result,
    onPhone: "status",
    cell: (attempt) => {
      const { text, tone } = attemptTexts[attemptStatus(attempt, charge)]
      return badge(text, tone)
    },
  },
  { title: debitTexts.code, cell: ({ code }) => code ?? "—" },
  {
    title: debitTexts.endToEndId,
    onPhone: "rest",
    cell: ({ endToEndId }) => html`<span class="mono break">${endToEndId ?? "—"}</span>`,
  },
]

/** The section about the debit; empty for a charge without a debit. */
export const debitSection = ({ link }: View, charge: PlainCharge): Html => {
  const { cycle, debit } = charge
  if (cycle === undefined || debit === undefined) return html``
  const { recurrenceId, contract, settlesOn, retryDays } = cycle
  const isAwaited = debit.retries.some((on) => !debit.attempts.some((attempt) => attempt.on === on))
  return html`<section class="card stack" aria-labelledby="debit-heading">
    <h2 id="debit-heading">${debitTexts.title}</h2>
    ${facts([
      [debitTexts.kind, debitTexts.kindText],
      [debitTexts.recurrence, html`<a class="mono break" href="${link(recurrencePath(recurrenceId))}">${contract}</a>`],
      [recurrenceTexts.cycle, debitTexts.generation(cycle.cycle, cycle.generation)],
      [debitTexts.settlesOn, formats.day(settlesOn)],
      [debitTexts.retryUntil, retryDays.length > 0 && formats.day(retryDays.at(-1) ?? settlesOn)],
      [debitTexts.nextAttempt, charge._tag === "Pending" && debit.nextAttemptOn && formats.day(debit.nextAttemptOn)],
    ])}
    ${listTable(debitTexts.attempts, columnsFor(charge), debit.attempts.toReversed(), debitTexts.noAttempts)}
    ${isAwaited && html`<p class="muted">${debitTexts.requested}</p>`}
  </section>`
}

export const retryPath = (id: string): string => `/cobrancas/${id}/tentar`

/** Undefined if a retry isn't possible. */
export const findRetry = ({ _tag, cycle, debit }: PlainCharge, now: number): LocalDate | undefined =>
  _tag === "Pending" && cycle !== undefined && debit !== undefined ? findRetryDay(cycle, debit, now) : undefined
