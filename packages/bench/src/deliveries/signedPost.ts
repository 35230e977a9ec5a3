import { createHmac } from "node:crypto"
import { benchSecret } from "./Contender.ts"

const key = Buffer.from(benchSecret.slice("whsec_".length), "base64")

/** The POST as a job written by hand makes it: signed, over the global fetch. It throws unless the answer is a 2xx. */
export const signedPost = async (url: string, id: string): Promise<void> => {
  const body = JSON.stringify({
    id,
    tipo: "pix.teste",
    timestamp: new Date().toISOString(),
    dados: { empresa: { cnpj: "12345678000195", nome: "Loja" } },
  })
  const timestamp = Math.floor(Date.now() / 1_000)
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")
  const response = await fetch(url, {
    method: "POST",
    body,
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": `v1,${signature}`,
    },
  })
  await response.text()
  if (!response.ok) throw new Error(`HTTP ${response.status}`)
}
