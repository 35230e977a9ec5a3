import { describe, expect, it } from "vitest"
import { shop } from "../recurring/openBank.ts"
import { openClient } from "./openClient.ts"

const txids = ["a", "b"].map((letter) => letter.repeat(30))
const period = { data_inicio: "2020-01-01T00:00:00Z", data_fim: "2099-01-01T00:00:00Z" }

// The client requests its token by the query alone, trusts any server, and looks a charge up before it removes the charge.
describe("the client data7-pix with the standard's paths at Sicredi's host", { tags: ["long"] }, () => {
  it("issues a charge that a payer pays, and lists, returns and removes", async () => {
    const setting = { program: "data7.mjs", host: "api-pix-h.sicredi.com.br", ways: {} }
    const { bank, call, webhookUrl } = await openClient(setting)
    const ask = async (method: string, ...args: ReadonlyArray<unknown>) => {
      const { answer, refusal } = await call(method, ...args)
      expect(refusal, method).toBeUndefined()
      return answer
    }
    expect(await ask("registrar_webhook", webhookUrl)).toBe(true)
    expect(await ask("consultar_webhook")).toMatchObject({ webhookUrl })
    for (const tx_id of txids) {
      const devedor = { cpf: "12345678909", nome: "Maria" }
      const issued = await ask("criar_cobranca", { tx_id, valor: "1.00", devedor, solicitacaoPagador: "Pedido 7" })
      expect(issued).toMatchObject({ tx_id, status: "ATIVA", expiracao: 3600, revisao: 0, devedor })
      expect(issued.pix_copia_e_cola).toContain("br.gov.bcb.pix")
    }
    const [paid = "", removed = ""] = txids
    const { endToEndId } = bank.pay(shop.cnpj, paid)
    await bank.webhooks.idle()
    expect(bank.webhooks.sent).toMatchObject([{ url: `${webhookUrl}/pix`, status: 200 }])
    expect(await ask("cancelar_cobranca", removed)).toBe(true)
    expect(await ask("devolver_pix_recebido", endToEndId, "1", "0.40")).toMatchObject({ id: "1", valor: "0.40" })
    expect(await ask("consultar_pix_devolvido", endToEndId, "1")).toMatchObject({ status: "DEVOLVIDO" })
    expect(await ask("consultar_pix_recebido", endToEndId)).toMatchObject({ txid: paid, valor_devolvido: "0.40" })
    expect((await ask("consultar_cobranca", paid)).recebimentos).toMatchObject([{ endToEndId, valor: "1.00" }])
    expect((await ask("listar_cobrancas", period)).cobrancas).toMatchObject([{ tx_id: paid }, { tx_id: removed }])
    const done = await ask("listar_cobrancas", { ...period, status: "CONCLUIDA" })
    expect(done.cobrancas).toMatchObject([{ tx_id: paid }])
    expect((await ask("listar_pix_recebidos", period)).pix).toMatchObject([{ e2eid: endToEndId }])
    expect(await ask("deletar_webhook")).toBe(true)
  })
})
