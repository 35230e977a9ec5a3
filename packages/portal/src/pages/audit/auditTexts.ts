import { formatTaxId } from "@pixcharge/web"
import type { AuditChange } from "@pixcharge/core"
import { formats } from "../../parts/formats.ts"
import { several } from "../../parts/several.ts"

const { day, moment, reais } = formats

/** Each kind of change, as a heading. */
export const changeNames: Readonly<Record<AuditChange["kind"], string>> = {
  companyRegistered: "Empresa cadastrada",
  resellerRegistered: "Revenda cadastrada",
  companyRemoved: "Empresa removida",
  resellerRemoved: "Revenda removida",
  companyChanged: "Cadastro da empresa alterado",
  resellerChanged: "Cadastro da revenda alterado",
  walletActivated: "Carteira Pix ativada",
  walletDeactivated: "Carteira Pix desativada",
  associationBegun: "Associação com revenda iniciada",
  associationEnded: "Associação com revenda encerrada",
  keySet: "Chave de integração definida",
  keyReplaced: "Chave de integração trocada",
  keyRevoked: "Chave de integração revogada",
  endpointSet: "Webhook definido",
  endpointRemoved: "Webhook removido",
  endpointReplaced: "Webhook trocado",
  endpointPaused: "Webhook pausado",
  endpointResumed: "Webhook reativado",
  endpointDisabled: "Webhook desativado pelo destino",
  eventsReplayed: "Eventos reenviados",
  testEventSent: "Evento de teste enviado",
  issueRequested: "Emissão de cobrança solicitada",
  refundRequested: "Devolução total solicitada",
  partialRefundRequested: "Devolução parcial solicitada",
  chargeCancelled: "Cobrança cancelada",
  recurrenceOffered: "Recorrência oferecida",
  recurrenceEndRequested: "Encerramento de recorrência solicitado",
  cycleCharged: "Ciclo cobrado",
  cycleSkipped: "Cobrança de ciclo cancelada",
  retryRequested: "Nova tentativa solicitada",
  exceptionRefundRequested: "Devolução de pagamento sem cobrança solicitada",
  exceptionResolved: "Pagamento mantido",
  payerShown: "Dados do pagador consultados",
  payerExported: "Dados do pagador exportados",
  payerErased: "Dados do pagador apagados",
  reconcileRequested: "Conciliação solicitada",
}

/** The facts of a registration. A fact that a later version adds has its own name. */
const factNames: Readonly<Partial<Record<string, string>>> = {
  name: "nome",
  city: "cidade",
  pixKey: "chave Pix",
  ownBankDomicile: "domicílio bancário",
  graceDays: "dias para pagar após o vencimento",
  fees: "multa, juros, abatimento e desconto",
  genericPayer: "pagador genérico",
  localHolidays: "feriados locais",
}

/** The detail of a change besides its kind; undefined if there is none. */
export const changeDetail = (change: AuditChange): string | undefined => {
  switch (change.kind) {
    case "companyChanged":
    case "resellerChanged":
      return change.facts.map((fact) => factNames[fact] ?? fact).join("; ")
    case "associationBegun":
    case "associationEnded":
      return formatTaxId(change.reseller)
    case "walletActivated":
    case "walletDeactivated":
      return change.of === "company" ? "da empresa" : "da revenda"
    case "endpointSet":
    case "endpointRemoved":
      return change.host
    case "endpointReplaced":
      return `de ${change.hostBefore} para ${change.host}`
    case "endpointPaused":
    case "endpointResumed":
    case "endpointDisabled":
    case "testEventSent":
      return change.endpointId
    case "eventsReplayed": {
      const deliveries = several(change.deliveries, "envio", "envios")
      return change.name === undefined ? deliveries : `${change.name}: ${deliveries}`
    }
    case "partialRefundRequested":
      return change.hasReason === true ? `${reais(change.amountCents)}, com motivo` : reais(change.amountCents)
    case "refundRequested":
    case "exceptionRefundRequested":
      return change.hasReason === true ? "com motivo" : undefined
    case "cycleCharged":
    case "cycleSkipped":
      return `ciclo ${change.cycle}`
    case "retryRequested":
      return day(change.on)
    case "exceptionResolved":
      return change.hasNote ? "com nota" : "sem nota"
    case "payerExported":
    case "payerErased":
      return [
        several(change.charges, "cobrança", "cobranças"),
        ...(change.recurrences === undefined ? [] : [several(change.recurrences, "recorrência", "recorrências")]),
      ].join(" e ")
    case "reconcileRequested":
      return `de ${moment(change.from)} a ${moment(change.until)}`
    default:
      return undefined
  }
}

/** The path, below the company, of what was changed; undefined if it has no page. */
export const changePath = (change: AuditChange): string | undefined => {
  if ("recurrenceId" in change) return `/recorrencias/${change.recurrenceId}`
  if ("chargeId" in change) return `/cobrancas/${change.chargeId}`
  if ("endToEndId" in change) return `/excecoes/${encodeURIComponent(change.endToEndId)}`
  return undefined
}
