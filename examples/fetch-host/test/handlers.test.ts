import { afterAll, expect, it, vi } from "vitest"
import { DELETE, GET, pix, POST } from "../src/handlers.ts"

const base = "https://padaria.example.com/api/payments"
const secret = Buffer.from("12345678000195|chave-da-padaria").toString("base64url")

afterAll(() => pix.dispose())

const authorize = async (): Promise<Record<string, string>> => {
  const answer = await GET(new Request(`${base}/api/token/${secret}`))
  const { data } = (await answer.json()) as { data: string }
  return { authorization: `Bearer ${data}`, "content-type": "application/json" }
}

it("issues, pays and refunds a charge through route handlers", async () => {
  const headers = await authorize()
  const idFaturaPag = crypto.randomUUID()
  const body = JSON.stringify({
    formaPagamento: { tpTransacao: 11, idFaturaPag, modPagamento: 18, valorPagamento: 7.5 },
  })
  expect((await POST(new Request(`${base}/api/pix`, { method: "POST", headers, body }))).status).toBe(200)
  const status = () => GET(new Request(`${base}/api/pix/${idFaturaPag}`, { headers }))
  expect((await status()).status).toBe(410)
  await POST(new Request(`${base}/api/pix/simular-pagamento/${idFaturaPag}`, { method: "POST", headers }))
  expect((await status()).status).toBe(200)
  const refund = new Request(`${base}/api/pix/${idFaturaPag}`, { method: "DELETE", headers })
  expect((await DELETE(refund)).status).toBe(200)
  expect((await status()).status).toBe(409)
})

it("answers 404 in the contract's error shape for a path without a route", async () => {
  const answer = await GET(new Request(`${base}/elsewhere`))
  expect(answer.status).toBe(404)
  expect(await answer.json()).toEqual({ sucesso: false, errors: "Rota inexistente." })
})

it("keeps its instance when the module is loaded again", async () => {
  vi.resetModules()
  const again = await import("../src/handlers.ts")
  expect(again.GET).not.toBe(GET)
  expect(again.pix).toBe(pix)
})
