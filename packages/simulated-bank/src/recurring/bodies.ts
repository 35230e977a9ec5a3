import { chargePayments, type Ledger } from "../ledger/Ledger.ts"
import type {
  Ending,
  LedgerAttempt,
  LedgerCycle,
  LedgerLocation,
  LedgerRec,
  LedgerRequest,
  RecurringLedger,
  StatusChange,
} from "../ledger/RecurringLedger.ts"
import { dayAt, instant } from "../ledger/apiValues.ts"
import { ispbs } from "./Recurrences.ts"
import type { BankAccount } from "../wire/BankOptions.ts"
import { paymentBody } from "../wire/bodies.ts"

const changesBody = (changes: ReadonlyArray<StatusChange<string>>) =>
  changes.map(({ status, at }) => ({ status, data: instant(at) }))

const endingBody = ({ code, by }: Ending) => {
  const why = { codigo: code, descricao: `Banco de Teste: ${code}` }
  return by === undefined ? { rejeicao: why } : { cancelamento: { solicitante: by, ...why } }
}

/** The API's `PayloadLocationRecCompleta`. */
export const locationBody = ({ id, location, createdAt, idRec }: LedgerLocation) => ({
  id,
  location,
  criacao: instant(createdAt),
  ...(idRec !== undefined && { idRec }),
})

const ownTerms = ({ idRec, body }: LedgerRec) => {
  const { vinculo, calendario, valor, politicaRetentativa } = body
  return { idRec, vinculo, calendario, ...(valor !== undefined && { valor }), politicaRetentativa }
}

const activationBody = ({ journey, firstTxid }: LedgerRec) => ({
  tipoJornada: journey ?? "AGUARDANDO_DEFINICAO",
  ...(firstTxid !== undefined && { dadosJornada: { txid: firstTxid } }),
})

/** The API's `RecNotification`. */
export const recNotice = (rec: LedgerRec) => ({
  idRec: rec.idRec,
  status: rec.status,
  atualizacao: changesBody(rec.changes),
  ...(rec.ending !== undefined && { encerramento: endingBody(rec.ending) }),
  ativacao: activationBody(rec),
})

/** The API's `RecGerada`: a new or changed recurrence. */
export const recBody = (rec: LedgerRec, { cnpj, name }: BankAccount, { locations }: RecurringLedger) => {
  const location = locations.get(rec.locationId ?? 0)
  return {
    ...ownTerms(rec),
    ...recNotice(rec),
    recebedor: { cnpj, nome: name },
    ...(location !== undefined && { loc: locationBody(location) }),
  }
}

const payerBody = ({ body }: LedgerRec) => {
  const { nome: _, ...taxId } = body.vinculo.devedor
  // This is the code of São Paulo.
  return { ...taxId, ispbParticipante: ispbs.payer, codMun: "3550308" }
}

/** The API's `SolicRecCompleta`. */
export const requestBody = (request: LedgerRequest, rec: LedgerRec, { cnpj, name }: BankAccount) => ({
  idSolicRec: request.idSolicRec,
  ...request.body,
  status: request.status,
  atualizacao: changesBody(request.changes),
  recPayload: {
    ...ownTerms(rec),
    recebedor: { cnpj, nome: name, ispbParticipante: ispbs.receiver },
    atualizacao: changesBody(rec.changes),
  },
})

/** The API's `RecCompletaPesquisada`: a recurrence on a look-up. */
export const wholeRecBody = (rec: LedgerRec, account: BankAccount, ledger: RecurringLedger) => {
  const requests = [...ledger.requests.values()].filter(({ idRec }) => idRec === rec.idRec)
  return {
    ...recBody(rec, account, ledger),
    ...(rec.journey !== undefined && { pagador: payerBody(rec) }),
    ...(requests.length > 0 && { solicitacao: requests.map((one) => requestBody(one, rec, account)) }),
  }
}

const attemptBody = ({ settlesOn, kind, status, endToEndId, changes, rejection }: LedgerAttempt) => ({
  dataLiquidacao: settlesOn,
  tipo: kind,
  status,
  endToEndId,
  atualizacao: changesBody(changes),
  ...(rejection !== undefined && { rejeicao: { codigo: rejection, descricao: `Banco de Teste: ${rejection}` } }),
})

/** The API's `CobRNotification`. */
export const cycleNotice = (cycle: LedgerCycle, ledger: Ledger) => {
  const { rec, issuer, txid, status, changes, attempts, ending } = cycle
  const payments = chargePayments(ledger, issuer, txid)
  return {
    idRec: rec.idRec,
    txid,
    status,
    atualizacao: changesBody(changes),
    ...(ending !== undefined && { encerramento: endingBody(ending) }),
    ...(attempts.length > 0 && { tentativas: attempts.map(attemptBody) }),
    ...(payments.length > 0 && { pix: payments.map(paymentBody) }),
  }
}

/** The API's `CobRCompleta`. */
export const cycleBody = (cycle: LedgerCycle, { cnpj, name }: BankAccount, ledger: Ledger) => {
  const { body, createdAt, rec } = cycle
  return {
    ajusteDiaUtil: true,
    ...body,
    ...cycleNotice(cycle, ledger),
    calendario: { criacao: dayAt(createdAt), ...body.calendario },
    recebedor: { cnpj, nome: name, ...body.recebedor },
    politicaRetentativa: rec.body.politicaRetentativa,
  }
}
