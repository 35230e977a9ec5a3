import {
  type CancelledBy,
  type ChargeId,
  type EventCharge,
  type EventException,
  type EventFacts,
  type EventKind,
  eventKinds,
  type EventPart,
  type EventPayment,
  type EventRecurrence,
  type EventRefund,
  type ExceptionReason,
  type PixEvent,
  type ReturnKind,
  type ShopTexts,
  type Txid,
  usualKinds,
} from "@pixcharge/core/charges"
import type { LocalDate } from "@pixcharge/core/calendar"
import type { Cnpj } from "@pixcharge/core/party"
import type { EndedBy, RecurrenceEnd, RecurrenceId } from "@pixcharge/core/recurrence"
import { type Codec, type Fields, flag, instant, number, object, reais, text, texts } from "./fields.ts"
import { parseJson } from "./JsonShape.ts"

const ofShop: Fields<ShopTexts> = {
  reference: ["suaReferencia", text(), "added"],
  metadata: ["metadados", texts, "added"],
}

const payment: Codec<EventPayment> = object<Omit<EventPayment, "cycle">>({
  chargeId: ["idFaturaPag", text<ChargeId>()],
  txid: ["txid", text<Txid>()],
  endToEndId: ["endToEndId", text()],
  amountCents: ["valor", reais],
  ...ofShop,
})

const refund = object<EventRefund>({
  id: ["id", text()],
  endToEndId: ["endToEndId", text()],
  amountCents: ["valor", reais],
  reason: ["motivo", text()],
  key: ["chave", text(), "optional"],
})

const part = object<EventPart>({
  id: ["id", text()],
  amountCents: ["valor", reais],
  key: ["chave", text(), "optional"],
})

const exception = object<EventException>({
  endToEndId: ["endToEndId", text()],
  amountCents: ["valor", reais],
  chargeId: ["idFaturaPag", text<ChargeId>(), "optional"],
  txid: ["txid", text(), "optional"],
  reason: ["motivo", text<ExceptionReason>()],
})

const returnKind = text<ReturnKind>()

const recurrence = object<EventRecurrence>({
  recurrenceId: ["id", text<RecurrenceId>()],
  contract: ["contrato", text()],
})

const charge = object<EventCharge>({
  chargeId: ["idFaturaPag", text<ChargeId>()],
  txid: ["txid", text<Txid>()],
  amountCents: ["valor", reais],
  ...ofShop,
})

const end = object<Omit<RecurrenceEnd, "at">>({
  reason: ["motivo", text<RecurrenceEnd["reason"]>()],
  by: ["por", text<EndedBy>(), "optional"],
  code: ["codigo", text(), "optional"],
})

const day = text<LocalDate>()

/** Each kind's name, and its fields in `dados`. A receiver rejects a body without a required field. */
export const eventBodies: {
  readonly [Kind in EventKind]: { readonly tipo: string; readonly dados: Fields<EventFacts[Kind]> }
} = {
  paid: {
    tipo: "pix.pago",
    dados: {
      payment: ["pagamento", payment],
      late: ["foraDoPrazo", flag, "added"],
      otherAmount: ["valorDiferente", flag, "added"],
    },
  },
  refunded: { tipo: "pix.estornado", dados: { payment: ["pagamento", payment], returnKind: ["origem", returnKind] } },
  "part-refunded": {
    tipo: "pix.estorno.parcial",
    dados: { payment: ["pagamento", payment], part: ["estornoParcial", part], returnKind: ["origem", returnKind] },
  },
  "refund-failed": {
    tipo: "pix.estorno.falhou",
    dados: { payment: ["pagamento", payment, "optional"], refund: ["estorno", refund] },
  },
  expired: { tipo: "pix.expirado", dados: { charge: ["cobranca", charge], payableUntil: ["pagavelAte", instant] } },
  cancelled: { tipo: "pix.cancelado", dados: { charge: ["cobranca", charge], by: ["por", text<CancelledBy>()] } },
  exception: { tipo: "pix.pagamento.sem-cobranca", dados: { exception: ["pagamentoSemCobranca", exception] } },
  "exception-returned": {
    tipo: "pix.pagamento.sem-cobranca.estornado",
    dados: { exception: ["pagamentoSemCobranca", exception], returnKind: ["origem", returnKind] },
  },
  "recurrence-approved": {
    tipo: "pix.recorrencia.autorizada",
    dados: { recurrence: ["recorrencia", recurrence], firstDueDate: ["primeiroVencimento", day, "optional"] },
  },
  "recurrence-ended": {
    tipo: "pix.recorrencia.encerrada",
    dados: { recurrence: ["recorrencia", recurrence], end: ["encerramento", end] },
  },
  "cycle-due": {
    tipo: "pix.ciclo.a-cobrar",
    dados: {
      recurrence: ["recorrencia", recurrence],
      cycle: ["ciclo", number],
      dueDate: ["vencimento", day],
      chargeableUntil: ["cobrarAte", instant],
    },
  },
  "payment-scheduled": {
    tipo: "pix.pagamento.agendado",
    dados: {
      recurrence: ["recorrencia", recurrence],
      cycle: ["ciclo", number],
      charge: ["cobranca", charge],
      on: ["em", day],
    },
  },
  "payment-failed": {
    tipo: "pix.pagamento.falhou",
    dados: {
      recurrence: ["recorrencia", recurrence],
      cycle: ["ciclo", number],
      charge: ["cobranca", charge, "optional"],
      on: ["em", day],
      reason: ["motivo", text()],
      code: ["codigo", text(), "optional"],
      by: ["por", text(), "optional"],
      mayRetryUntil: ["novaTentativaAte", instant, "optional"],
      nextAttemptOn: ["proximaTentativaEm", day, "optional"],
    },
  },
  test: { tipo: "pix.teste", dados: {} },
}

const company = object<Pick<PixEvent, "issuer" | "companyName">>({
  issuer: ["cnpj", text<Cnpj>()],
  companyName: ["nome", text()],
})

/** The JSON body of a callback (decision 23). */
const eventBody = <Kind extends EventKind>(kind: Kind) => {
  const { dados } = eventBodies[kind]
  return object<EventBody>({
    id: ["id", text()],
    tipo: ["tipo", text()],
    occurredAt: ["timestamp", instant],
    dados: ["dados", object<EventBody["dados"]>({ company: ["empresa", company], ...(dados as object) })],
  })
}

interface EventBody extends Pick<PixEvent, "id" | "occurredAt"> {
  readonly tipo: string
  readonly dados: { readonly company: Pick<PixEvent, "issuer" | "companyName"> }
}

const codecs = new Map(eventKinds.map((kind) => [kind, eventBody(kind)]))
const kindsByType = new Map<unknown, EventKind>(eventKinds.map((kind) => [eventBodies[kind].tipo, kind]))

/**
 * The JSON body for an endpoint with these kinds, the same bytes in every delivery. With the default kinds, a payment's body has
 * only the fields that every receiver knows.
 */
export const encodeEventBody = (event: PixEvent, kinds: ReadonlyArray<EventKind>): string => {
  const { id, kind, occurredAt } = event
  // Each codec writes only its own fields of the spread objects.
  const body = { id, tipo: eventBodies[kind].tipo, occurredAt, dados: { company: event, ...event } }
  const isBrief = kinds.every((each) => usualKinds.includes(each))
  return (codecs.get(kind) as Codec<EventBody>).encode(body, isBrief)
}

/** The event in a JSON body; undefined for any other text. Ignores unknown fields, because later versions can add fields. */
export const decodeEventBody = (body: string): PixEvent | undefined => {
  const json = parseJson(body)
  const kind = kindsByType.get((Object(json) as { readonly tipo?: unknown }).tipo)
  const read = kind && codecs.get(kind)?.decode(json)
  if (read === undefined) return undefined
  const { id, occurredAt, dados } = read
  const { company: owner, ...facts } = dados
  return { id, kind, ...owner, occurredAt, ...facts } as PixEvent
}
