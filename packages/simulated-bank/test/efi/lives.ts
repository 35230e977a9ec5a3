import type { SimulatedBank } from "@pixcharge/simulated-bank"
import { shop } from "../recurring/openBank.ts"

// oxlint-disable-next-line typescript/no-explicit-any -- the SDK's schemas judge it
export type Ask = (method: string, ...args: ReadonlyArray<unknown>) => Promise<any>

const payer = { cpf: "12345678909", nome: "Maria" }
export const chave = shop.pixKeys[0] ?? ""
export const immediate = {
  calendario: { expiracao: 600 },
  valor: { original: "1.00" },
  chave,
  devedor: payer,
  solicitacaoPagador: "Pedido 7",
}
export const dated = {
  calendario: { dataDeVencimento: "2026-12-05", validadeAposVencimento: 3 },
  devedor: { ...payer, cidade: "Recife" },
  chave,
  valor: {
    original: "1.00",
    multa: { modalidade: 2, valorPerc: "2.00" },
    juros: { modalidade: 3, valorPerc: "1.00" },
    desconto: { modalidade: 1, descontoDataFixa: [{ data: "2026-12-03", valorPerc: "0.10" }] },
  },
}
export const terms = {
  vinculo: { contrato: "c1", objeto: "Assinatura", devedor: payer },
  calendario: { dataInicial: "2026-12-10", periodicidade: "MENSAL" },
  valor: { valorRec: "49.90" },
  politicaRetentativa: "PERMITE_3R_7D",
}
export const period = { inicio: "2026-12-01T00:00:00Z", fim: "2026-12-31T00:00:00Z" }
export const txids = Array.from({ length: 6 }, (_, index) => `txid${String(index).padStart(28, "0")}`)

const removal = { status: "REMOVIDA_PELO_USUARIO_RECEBEDOR" }

export const liveWithCharges = async (bank: SimulatedBank, ask: Ask): Promise<void> => {
  const [own, other, due] = txids
  const { id } = await ask("pixCreateLocation", { tipoCob: "cob" })
  await ask("pixCreateCharge", { txid: own }, { ...immediate, loc: { id } })
  await ask("pixCreateImmediateCharge", { ...immediate, infoAdicionais: [{ nome: "Pedido", valor: "7" }] })
  await ask("pixDetailLocation", { id })
  await ask("pixGenerateQRCode", { id })
  await ask("pixUpdateCharge", { txid: own }, { valor: { original: "2.00" } })
  await ask("pixCreateCharge", { txid: other }, immediate)
  await ask("pixUpdateCharge", { txid: other }, removal)
  const { id: left } = await ask("pixCreateLocation", { tipoCob: "cobv" })
  await ask("pixUnlinkTxidLocation", { id: left })
  await ask("pixCreateDueCharge", { txid: due }, { ...dated, loc: { id: left } })
  await ask("pixUpdateDueCharge", { txid: due }, { solicitacaoPagador: "Pedido 8" })
  const received = [bank.pay(shop.cnpj, own ?? ""), bank.pay(shop.cnpj, due ?? "")]
  for (const { endToEndId: e2eId } of received) {
    await ask("pixDevolution", { e2eId, id: "1" }, { valor: "0.40" })
    await ask("pixDetailDevolution", { e2eId, id: "1" })
    bank.returnOutside(e2eId, 1, "MED_FRAUDE")
    await ask("pixDetailReceived", { e2eId })
  }
  await ask("pixDetailCharge", { txid: own })
  await ask("pixDetailDueCharge", { txid: due })
  await ask("pixReceivedList", { ...period, txid: own, devolucaoPresente: true })
  await ask("pixListCharges", { ...period, "paginacao.itensPorPagina": 2 })
  await ask("pixListDueCharges", { ...period, cpf: payer.cpf })
  await ask("pixLocationList", { ...period, txIdPresente: true })
}

export const liveWithRecurrences = async (bank: SimulatedBank, ask: Ask, setTime: (at: number) => void) => {
  const [, , , first] = txids
  const { id: loc } = await ask("pixCreateLocationRecurrenceAutomatic")
  await ask("pixListLocationRecurrenceAutomatic", period)
  const { idRec } = await ask("pixCreateRecurrenceAutomatic", { ...terms, loc })
  await ask("pixDetailLocationRecurrenceAutomatic", { id: loc })
  await ask("pixDetailRecurrenceAutomatic", { idRec })
  await ask("pixListRecurrenceAutomatic", period)
  await ask("pixUpdateRecurrenceAutomatic", { idRec }, { vinculo: { devedor: { nome: "Maria Silva" } } })
  const request = {
    idRec,
    calendario: { dataExpiracaoSolicitacao: "2026-12-08T12:00:00Z" },
    destinatario: { cpf: payer.cpf, ispbParticipante: "87654321", conta: "123", agencia: "0001" },
  }
  const { idSolicRec } = await ask("pixCreateRequestRecurrenceAutomatic", request)
  await ask("pixDetailRequestRecurrenceAutomatic", { idSolicRec })
  await ask("pixUpdateRequestRecurrenceAutomatic", { idSolicRec }, { status: "CANCELADA" })
  bank.recurring.approve(idRec)
  await ask("pixDetailRecurrenceAutomatic", { idRec })

  const cycle = (dataDeVencimento: string) => ({
    idRec,
    calendario: { dataDeVencimento },
    valor: { original: "49.90" },
    ajusteDiaUtil: true,
    recebedor: { conta: shop.accountNumber, tipoConta: "CORRENTE", agencia: "0001" },
    devedor: { cidade: "Recife" },
  })
  await ask("pixCreateAutomaticChargeTxid", { txid: first }, cycle("2026-12-10"))
  bank.recurring.setBalance(idRec, 0)
  setTime(Date.parse("2026-12-11T09:00:00-03:00"))
  await ask("pixRetryRequestAutomatic", { txid: first, data: "2026-12-14" })
  bank.recurring.setBalance(idRec)
  bank.recurring.runDay("2026-12-14")
  await ask("pixDetailAutomaticCharge", { txid: first })
  setTime(Date.parse("2027-01-04T09:00:00-03:00"))
  const { txid } = await ask("pixCreateAutomaticCharge", cycle("2027-01-10"))
  await ask("pixUpdateAutomaticCharge", { txid }, { status: "CANCELADA" })
  await ask("pixDetailAutomaticCharge", { txid })
  await ask("pixListAutomaticCharge", { ...period, idRec })
  await ask("pixUpdateRecurrenceAutomatic", { idRec }, { status: "CANCELADA" })
  await ask("pixUnlinkLocationRecurrenceAutomatic", { id: loc })
}

export const liveWithWebhooks = async (ask: Ask, webhookUrl: string): Promise<void> => {
  await ask("pixConfigWebhook", { chave }, { webhookUrl })
  await ask("pixDetailWebhook", { chave })
  await ask("pixListWebhook", { ...period, fim: "2027-12-31T00:00:00Z" })
  await ask("pixDeleteWebhook", { chave })
  for (const of of ["RecurrenceAutomatic", "AutomaticCharge"]) {
    await ask(`pixConfigWebhook${of}`, { webhookUrl })
    await ask(`pixListWebhook${of}`)
    await ask(`pixDeleteWebhook${of}`)
  }
}
