import type { TextSignatures } from "@pixcharge/web"

const noticeTexts = {
  refundRequested: "Devolução solicitada ao banco. Esta página avisa quando ela for concluída.",
  refundDone: "Devolução concluída: o valor voltou à conta de origem.",
  chargeIssued: "Cobrança emitida. Envie ao pagador o link ou o código.",
  chargeChanged: "Cobrança alterada. O código Pix continua o mesmo.",
  chargeChangedCode: "Cobrança alterada. O código Pix é outro: envie de novo o link ou o código.",
  changeRequested: "Alteração solicitada. O banco ainda não respondeu; esta página avisa quando ele confirmar.",
  chargeCancelled: "Cobrança cancelada. O código Pix não é mais válido.",
  recurrenceEnding:
    "Encerramento solicitado. Nenhum novo ciclo será cobrado; esta página avisa quando o banco confirmar.",
  cyclesSkipped: "Ciclos pulados. Os seguintes continuam.",
  retryRequested: "Nova tentativa solicitada ao banco. Esta página avisa quando ela for agendada.",
  exceptionKept: "Pagamento mantido e encerrado.",
  eventResent: "Evento na fila de envio. Esta página avisa quando ele for entregue.",
  eventNotResent: "Nada foi reenviado: o evento já aguarda envio, ou o pagamento dele foi devolvido.",
  endpointPaused: "Webhook pausado. Os eventos dele ficam em espera até a reativação.",
  endpointResumed: "Webhook reativado. Os eventos em espera estão sendo enviados.",
  testEventSent: "Evento de teste na fila de envio. Ele aparece em Eventos, com cada tentativa.",
} as const satisfies Readonly<Record<string, string>>

export type NoticeId = keyof typeof noticeTexts

/** Enough time for the redirect to the page that shows the notice. */
const validMs = 60_000

export const noticeField = "aviso"

export interface NoticeReader {
  readonly who: string
  readonly company: string
}

/**
 * The notice of an action in the URL of the next page, signed for one operator and for a minute: a stranger's link can't show
 * one.
 */
export const makeNotices = (signatures: TextSignatures, now: () => number) => {
  const signedText = ({ who, company }: NoticeReader, id: string, until: string) =>
    JSON.stringify(["notice", who, company, id, until])
  return {
    write: async (reader: NoticeReader, id: NoticeId): Promise<string> => {
      const until = String(now() + validMs)
      return `${id}.${until}.${await signatures.sign(signedText(reader, id, until))}`
    },
    /** Undefined unless it was written for this reader within the last minute. */
    read: async (reader: NoticeReader, value: string): Promise<string | undefined> => {
      const [id = "", until = "", signature = ""] = value.split(".", 3)
      if (!Object.hasOwn(noticeTexts, id) || !(Number(until) > now())) return undefined
      return (await signatures.verify(signedText(reader, id, until), signature))
        ? noticeTexts[id as NoticeId]
        : undefined
    },
  }
}
