import type { ChargeOrder } from "@pixcharge/core"
import type { LocalDate } from "@pixcharge/core/calendar"
import { type Charge, type ChargePayer, discountDates, immediateLifetimeSeconds } from "@pixcharge/core/charges"
import {
  type Cents,
  decimalFromCents,
  type Discount,
  type Fees,
  type FixedOrPercent,
  type Interest,
} from "@pixcharge/core/money"
import { isCpf, type Payer } from "@pixcharge/core/party"
import type { ChargeCycle, Journey, Recurrence } from "@pixcharge/core/recurrence"
import { instantText } from "./Instant.ts"

/** Amounts and percentages have the same form, `\d{1,10}\.\d{2}`: 2 % is 200 basis points, written "2.00". */
const formatHundredths = (value: number): string => decimalFromCents(value as Cents)

export const writeTaxId = ({ taxId }: Payer) => (isCpf(taxId) ? { cpf: taxId } : { cnpj: taxId })

const writePayer = (payer: Payer) => ({ ...writeTaxId(payer), nome: payer.name })

/** The payer of a due-date charge (`DadosDevedor`). */
const writeChargePayer = (payer: ChargePayer) => {
  const { email, address } = payer
  return {
    ...writePayer(payer),
    ...(email !== undefined && { email }),
    ...(address && {
      logradouro: address.street,
      cidade: address.city,
      uf: address.state,
      cep: address.postalCode,
    }),
  }
}

const fixedOrPercent = (share: FixedOrPercent) =>
  share.kind === "fixed"
    ? { modalidade: 1, valorPerc: formatHundredths(share.amountCents) }
    : { modalidade: 2, valorPerc: formatHundredths(share.basisPoints) }

const interestModes = { fixedPerDay: 1, percentPerDay: 2, percentPerMonth: 3, percentPerYear: 4 } as const

/** The values 1 to 4 of `modalidade` count calendar days, the values 5 to 8 business days. */
const juros = (interest: Interest) => ({
  modalidade: interestModes[interest.kind] + (interest.days === "business" ? 4 : 0),
  valorPerc: formatHundredths(interest.kind === "fixedPerDay" ? interest.amountCents : interest.basisPoints),
})

const desconto = (discount: Discount, dueDate: LocalDate) => {
  switch (discount.kind) {
    case "fixedUntil":
    case "percentUntil":
      return {
        modalidade: discount.kind === "fixedUntil" ? 1 : 2,
        descontoDataFixa: discountDates(discount, dueDate).map(({ date, ...share }) => ({
          data: date,
          valorPerc: fixedOrPercent(share).valorPerc,
        })),
      }
    case "fixedPerDayEarly":
      return { modalidade: discount.days === "calendar" ? 3 : 4, valorPerc: formatHundredths(discount.amountCents) }
    case "percentPerDayEarly":
      return { modalidade: discount.days === "calendar" ? 5 : 6, valorPerc: formatHundredths(discount.basisPoints) }
  }
}

const encargos = ({ fine, interest, abatement, discount }: Fees, dueDate: LocalDate) => ({
  ...(fine && { multa: fixedOrPercent(fine) }),
  ...(interest && { juros: juros(interest) }),
  ...(abatement && { abatimento: fixedOrPercent(abatement) }),
  ...(discount && { desconto: desconto(discount, dueDate) }),
})

const writeTexts = ({ messageToPayer, additionalInfo }: ChargeOrder) => ({
  ...(messageToPayer !== undefined && { solicitacaoPagador: messageToPayer }),
  ...(additionalInfo && { infoAdicionais: additionalInfo.map(({ name, value }) => ({ nome: name, valor: value })) }),
})

/** The body of an immediate charge (`CobSolicitada`). */
export const immediateBody = (order: ChargeOrder, payer: Payer | undefined) => ({
  calendario: { expiracao: order.payableForSeconds ?? immediateLifetimeSeconds },
  ...(payer && { devedor: writePayer(payer) }),
  valor: { original: decimalFromCents(order.amountCents) },
  chave: order.company.pixKey,
  ...writeTexts(order),
})

/** The body of a due-date charge (`CobVSolicitada`). */
export const dueDateBody = (order: ChargeOrder, dueDate: LocalDate, payer: ChargePayer) => ({
  calendario: { dataDeVencimento: dueDate, validadeAposVencimento: order.company.graceDays },
  devedor: writeChargePayer(payer),
  valor: {
    original: decimalFromCents(order.amountCents),
    ...(order.company.fees && encargos(order.company.fees, dueDate)),
  },
  chave: order.company.pixKey,
  ...writeTexts(order),
})

/** The body that cancels a charge (`CobRevisada`). */
export const removalBody = { status: "REMOVIDA_PELO_USUARIO_RECEBEDOR" }

export const walkedBody = (pixKey: string, reais: string) => ({
  calendario: { expiracao: 600 },
  valor: { original: reais },
  chave: pixKey,
})

const periods = {
  weekly: "SEMANAL",
  monthly: "MENSAL",
  quarterly: "TRIMESTRAL",
  halfYearly: "SEMESTRAL",
  yearly: "ANUAL",
} as const

/** The company's account that receives the debits of Pix Automático. They go to this account, not to a Pix key. */
export interface ReceivingAccount {
  /** Up to four digits, without a check digit. */
  readonly branch?: string
  /** Up to 20 letters and digits, with the check digit and without a hyphen. */
  readonly number: string
  readonly kind: "checking" | "savings" | "payment"
}

const accountKinds = { checking: "CORRENTE", savings: "POUPANCA", payment: "PAGAMENTO" } as const

const valor = ({ amountCents, floorCents }: Recurrence) => {
  if (amountCents !== undefined) return { valor: { valorRec: decimalFromCents(amountCents) } }
  return floorCents === undefined ? {} : { valor: { valorMinimoRecebedor: decimalFromCents(floorCents) } }
}

export interface OfferedBy {
  /** The location of the payload in an offer by code. */
  readonly locationId?: number
  /** The immediate charge that is paid with the authorisation. */
  readonly chargeTxid?: string
}

/** The body of a recurrence (`RecSolicitada`). */
export const recurrenceBody = (recurrence: Recurrence, payer: Payer, { locationId, chargeTxid }: OfferedBy) => ({
  vinculo: {
    contrato: recurrence.contract,
    devedor: writePayer(payer),
    objeto: recurrence.title,
  },
  calendario: {
    dataInicial: recurrence.startDate,
    ...(recurrence.endDate !== undefined && { dataFinal: recurrence.endDate }),
    periodicidade: periods[recurrence.period],
  },
  ...valor(recurrence),
  politicaRetentativa: recurrence.retries === "none" ? "NAO_PERMITE" : "PERMITE_3R_7D",
  ...(locationId !== undefined && { loc: locationId }),
  ...(chargeTxid !== undefined && { ativacao: { dadosJornada: { txid: chargeTxid } } }),
})

/** The body of a request to the payer's bank (`SolicRecSolicitada`). */
export const requestBody = (bankId: string, payer: Payer, journey: Journey & { readonly by: "bank" }) => ({
  idRec: bankId,
  calendario: { dataExpiracaoSolicitacao: instantText(journey.until) },
  destinatario: {
    ...writeTaxId(payer),
    ispbParticipante: journey.ispb,
    conta: journey.account,
    ...(journey.branch !== undefined && { agencia: journey.branch }),
  },
})

/** The body of a cycle's charge (`CobRSolicitada`). The payer's bank changes a due date on a non-business day. */
export const cycleBody = (
  { amountCents, dueDate }: Pick<Charge, "amountCents" | "dueDate">,
  { bankId }: ChargeCycle,
  { branch, number, kind }: ReceivingAccount,
) => ({
  idRec: bankId,
  calendario: { dataDeVencimento: dueDate },
  valor: { original: decimalFromCents(amountCents) },
  ajusteDiaUtil: true,
  recebedor: { conta: number, tipoConta: accountKinds[kind], ...(branch !== undefined && { agencia: branch }) },
})

/** Adds an empty debtor, which some banks demand although they take the debtor from the recurrence. */
export const withDebtor = <Body extends object>(body: Body) => ({ ...body, devedor: {} })

export const cancellationBody = { status: "CANCELADA" }
