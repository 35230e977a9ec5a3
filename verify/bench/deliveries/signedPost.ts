import { createHmac } from "node:crypto"
import { benchSecret, bounds } from "./Contender.ts"

const key = Buffer.from(benchSecret.slice("whsec_".length), "base64")

let underWay = 0
const waiting: Array<() => void> = []

/** Waits until a contender may start another POST, independent of the size of its batches. */
const withinBounds = async (post: () => Promise<void>): Promise<void> => {
  if (underWay >= bounds.posts) await new Promise<void>((resolve) => waiting.push(resolve))
  else underWay++
  try {
    await post()
  } finally {
    const next = waiting.shift()
    if (next === undefined) underWay--
    else next()
  }
}

/** The POST of a job written by hand: signed, by the global fetch. Throws unless the answer is a 2xx. */
export const signedPost = (url: string, id: string): Promise<void> =>
  withinBounds(async () => {
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
  })
