import { type LocalDate, parseLocalDate } from "@pixcharge/core/calendar"
import type { DebitAttempt, DebitView } from "@pixcharge/core/recurrence"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type PspCharge, readPayer, type ShownPayer } from "./Cob.ts"
import { Day } from "./Instant.ts"
import { findPaymentFlaws, readPayment } from "./PixBody.ts"
import {
  Amount,
  Elements,
  lenient,
  looseStruct,
  makeReader,
  readEntries,
  type Reader,
  readTrimmed,
  Text,
  UnreadableAnswer,
} from "./Reader.ts"
import { Ends, readEnd, readState, readStatus, Updates, withinData } from "./Rec.ts"

/** An order to debit. Unreadable fields are absent. */
export interface PspAttempt extends Omit<DebitAttempt, "on" | "kind"> {
  readonly kind?: DebitAttempt["kind"]
  readonly on?: LocalDate
}

/** A bank's charge of a recurrence's cycle (`CobRCompleta`). */
export interface PspCycle
  extends Pick<PspCharge, "amountCents" | "payments" | "flaws" | "pixKey">, Pick<DebitView, "by" | "code"> {
  /** Absent if not shown or unreadable. */
  readonly dueDate?: LocalDate
  readonly bankId?: string
  readonly status: Exclude<DebitView["status"], "absent">
  readonly attempts: ReadonlyArray<PspAttempt>
  readonly payer?: ShownPayer
  readonly accountNumber?: string
  readonly mayRetry?: boolean
  /** Whether a due date on a non-business day changes to a business day. */
  readonly movesDueDate?: boolean
}

const CobR = looseStruct({
  idRec: lenient(Text),
  txid: lenient(Text),
  chave: lenient(Text),
  status: lenient(Text),
  calendario: lenient(looseStruct({ dataDeVencimento: lenient(Day) })),
  valor: looseStruct({ original: Amount }),
  atualizacao: Updates,
  encerramento: Ends,
  tentativas: Schema.optional(Elements),
  pix: Schema.optional(Elements),
  devedor: Schema.optional(Schema.Unknown),
  recebedor: lenient(looseStruct({ conta: lenient(Text) })),
  politicaRetentativa: lenient(Schema.Literals(["NAO_PERMITE", "PERMITE_3R_7D"])),
  ajusteDiaUtil: lenient(Schema.Boolean),
})

type Cycle = typeof CobR.Type

const Tentativa = looseStruct({
  dataLiquidacao: lenient(Day),
  tipo: lenient(Text),
  status: lenient(Text),
  endToEndId: lenient(Text),
  atualizacao: Updates,
  rejeicao: lenient(looseStruct({ codigo: lenient(Text) })),
})

const chargeMeanings = {
  CRIADA: "active",
  ATIVA: "active",
  CONCLUIDA: "completed",
  REJEITADA: "rejected",
  EXPIRADA: "expired",
  CANCELADA: "cancelled",
} as const

const attemptMeanings = {
  SOLICITADA: "requested",
  AGENDADA: "scheduled",
  PAGA: "paid",
  REJEITADA: "rejected",
  EXPIRADA: "expired",
  CANCELADA: "cancelled",
} as const

const kinds: Readonly<Record<string, DebitAttempt["kind"]>> = { AGND: "first", NTAG: "retry", RIFL: "resent" }

const readDay = (text: string | undefined): LocalDate | undefined =>
  text === undefined ? undefined : Result.getOrUndefined(parseLocalDate(text))

const readTentativa = makeReader(Tentativa, (row): PspAttempt => {
  const kind = kinds[(row.tipo ?? "").trim().toUpperCase()]
  const on = readDay(row.dataLiquidacao)
  const endToEndId = readTrimmed(row.endToEndId)
  const code = readTrimmed(row.rejeicao?.codigo)
  return {
    status: readStatus(attemptMeanings, readState(row.status, row.atualizacao).word),
    ...(kind !== undefined && { kind }),
    ...(on !== undefined && { on }),
    ...(endToEndId !== undefined && { endToEndId }),
    ...(code !== undefined && { code }),
  }
})

/** An unreadable attempt counts as unknown, because it can be under way. */
const readAttempt = (element: unknown): PspAttempt =>
  Result.getOrElse(readTentativa(element), (): PspAttempt => ({ status: "unknown" }))

const readIdentity = ({ idRec, chave, calendario, devedor, recebedor, politicaRetentativa, ajusteDiaUtil }: Cycle) => {
  const [bankId, pixKey, accountNumber] = [idRec, chave, recebedor?.conta].map(readTrimmed)
  const payer = readPayer(devedor)
  const dueDate = readDay(calendario?.dataDeVencimento)
  return {
    ...(bankId !== undefined && { bankId }),
    ...(pixKey !== undefined && { pixKey }),
    ...(dueDate !== undefined && { dueDate }),
    ...(payer !== undefined && { payer }),
    ...(accountNumber !== undefined && { accountNumber }),
    ...(politicaRetentativa !== undefined && { mayRetry: politicaRetentativa !== "NAO_PERMITE" }),
    ...(ajusteDiaUtil !== undefined && { movesDueDate: ajusteDiaUtil }),
  }
}

const readCobR = makeReader(CobR, (cobr) => {
  const { valor, atualizacao, encerramento, tentativas = [], pix } = cobr
  const payments = readEntries(pix, readPayment)
  const flaws = [...payments.flaws, ...payments.read.flatMap(findPaymentFlaws)]
  const cycle: PspCycle = {
    status: readStatus(chargeMeanings, readState(cobr.status, atualizacao).word),
    amountCents: valor.original,
    attempts: tentativas.map(readAttempt),
    payments: payments.read,
    ...readEnd(encerramento),
    ...readIdentity(cobr),
    ...(flaws.length > 0 && { flaws }),
  }
  return { txid: readTrimmed(cobr.txid), cycle }
})

/** In upper or lower case. Fails for another charge. */
export const cycleReaderFor = (txid: string): Reader<PspCycle> =>
  withinData((json) =>
    Result.flatMap(readCobR(json), ({ txid: shown = txid, cycle }) =>
      shown.toLowerCase() === txid ? Result.succeed(cycle) : Result.fail(new UnreadableAnswer({ fields: ["txid"] })),
    ),
  )
