import { once } from "node:events"
import { createServer } from "node:http"
import { text } from "node:stream/consumers"
import { verifyEvent } from "@pixcharge/callback-fetch/receiver"

const secret = `whsec_${Buffer.from("a secret of the receiver of hosts").toString("base64")}`

/** A receiver of events on this machine, which checks their signatures. */
export const startReceiver = async () => {
  const events = []
  const waiting = new Set()
  const server = createServer(async (request, response) => {
    const event = verifyEvent({ header: (name) => request.headers[name], body: await text(request) }, [secret])
    response.writeHead(typeof event === "string" ? 401 : 204).end()
    events.push(event)
    for (const check of waiting) check()
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")

  /** Resolves once a paid event of this charge has come. */
  const paid = (chargeId) =>
    new Promise((resolve) => {
      const check = () => {
        if (!events.some((event) => event.kind === "paid" && event.payment.chargeId === chargeId)) return
        waiting.delete(check)
        resolve()
      }
      waiting.add(check)
      check()
    })

  return {
    env: { PIX_CALLBACK_URL: `http://127.0.0.1:${server.address().port}/pix`, PIX_CALLBACK_SECRET: secret },
    paid,
    close: () => server.close(),
  }
}
