import { startHost } from "@pixcharge-examples/demonstration"
import { execFileSync } from "node:child_process"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startReceiver } from "./receiver.ts"

const main = `${import.meta.dirname}/../dist/main.js`
const receiver = await startReceiver()
const secret = `whsec_${Buffer.from("a secret that signs callbacks 32b").toString("base64")}`
const hasCurl = (() => {
  try {
    return execFileSync("bash", ["-c", "command -v curl"]).length > 0
  } catch {
    return false
  }
})()

describe("pnpm start", () => {
  let host: Awaited<ReturnType<typeof startHost>>
  beforeAll(async () => {
    host = await startHost(main, { PIX_CALLBACK_URL: receiver.url, PIX_CALLBACK_SECRET: secret })
  })
  afterAll(async () => {
    host.child.kill("SIGKILL")
    await receiver.close()
  })

  it.skipIf(!hasCurl)("the printed commands issue, pay and refund a charge when pasted", () => {
    const output = execFileSync("bash", ["-c", host.tries()]).toString()
    expect(output).toContain('"retUrl":"000201')
    expect(output).toContain("HTTP/1.1 410")
    expect(output).toContain("Pagamento pendente.")
    expect(output).toContain("R$ 19,90")
    expect(output).toContain("Estorno realizado com sucesso.")
  })

  it("tells a paid charge to the callback, signed", async () => {
    const token = await fetch(
      `${host.baseUrl}/api/token/${Buffer.from("12345678000195|chave-de-demonstracao").toString("base64url")}`,
    )
    const authorization = `Bearer ${((await token.json()) as { data: string }).data}`
    const idFaturaPag = crypto.randomUUID()
    const body = { formaPagamento: { tpTransacao: 11, idFaturaPag, modPagamento: 18, valorPagamento: 12.34 } }
    const headers = { authorization, "content-type": "application/json" }
    await fetch(`${host.baseUrl}/api/pix`, { method: "POST", headers, body: JSON.stringify(body) })
    await fetch(`${host.baseUrl}/api/pix/simular-pagamento/${idFaturaPag}`, { method: "POST", headers })
    const event = await receiver.next(({ dados }) => dados.pagamento.idFaturaPag === idFaturaPag, secret)
    expect(event).toMatchObject({
      tipo: "pix.pago",
      dados: { empresa: { cnpj: "12345678000195" }, pagamento: { idFaturaPag, valor: 12.34 } },
    })
  })

  it("ends cleanly within a second", async () => {
    const { code, tookMs } = await host.stop()
    expect(code).toBe(0)
    expect(tookMs).toBeLessThan(1_000)
  })

  it.each([
    ["PORT", { PORT: "http" }],
    ["PIX_CALLBACK_URL", { PIX_CALLBACK_URL: "nonsense" }],
    ["PIX_CALLBACK_SECRET", { PIX_CALLBACK_URL: "http://127.0.0.1/" }],
    ["DATABASE_URL", { DATABASE_URL: "mysql://x" }],
  ])("a wrong %s is named in one sentence", async (name, env) => {
    await expect(startHost(main, env)).rejects.toThrow(name)
  })
})
