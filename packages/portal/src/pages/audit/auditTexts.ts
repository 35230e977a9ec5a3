import type { AuditChange } from "@pixcharge/core"
import { formats } from "../../parts/formats.ts"
import { several } from "../../parts/several.ts"
import { formatTaxId } from "../../parts/formatTaxId.ts"

const { dateTime, reais } = formats

/** Each kind of change, as a heading. */
export const changeNames: Readonly<Record<AuditChange["kind"], string>> = {
  companyRegistered: "Empresa registrada",
  resellerRegistered: "Revenda registrada",
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
  endpointSet: "Ponto de entrega definido",
  endpointRemoved: "Ponto de entrega removido",
  endpointReplaced: "Ponto de entrega trocado",
  endpointPaused: "Ponto de entrega pausado",
  endpointResumed: "Ponto de entrega retomado",
  endpointDisabled: "Ponto de entrega desativado pelo recebedor",
  eventsReplayed: "Eventos reenviados",
  testEventSent: "Evento de teste enviado",
  refundRequested: "Devolução total pedida",
  partialRefundRequested: "Devolução parcial pedida",
  chargeCancelled: "Cobrança cancelada",
  exceptionRefundRequested: "Devolução de exceção pedida",
  exceptionResolved: "Exceção mantida",
  payerShown: "Pagador mostrado",
  payerExported: "Dados de pagador exportados",
  payerErased: "Dados de pagador apagados",
  reconcileRequested: "Conciliação pedida",
}

/** The detail of a change besides its kind; undefined if there is none. */
export const changeDetail = (change: AuditChange): string | undefined => {
  switch (change.kind) {
    case "companyChanged":
    case "resellerChanged":
      return change.facts.join(", ")
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
      return reais(change.amountCents)
    case "exceptionResolved":
      return change.hasNote ? "com nota" : "sem nota"
    case "payerExported":
    case "payerErased":
      return several(change.charges, "cobrança", "cobranças")
    case "reconcileRequested":
      return `de ${dateTime(change.from)} a ${dateTime(change.until)}`
    default:
      return undefined
  }
}

/** The path, below the company, of what was changed; undefined if it has no page. */
export const changePath = (change: AuditChange): string | undefined => {
  if ("chargeId" in change) return `/cobrancas/${change.chargeId}`
  if ("endToEndId" in change) return `/excecoes/${encodeURIComponent(change.endToEndId)}`
  return undefined
}
