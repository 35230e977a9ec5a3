import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { type ReceivedEvent, verifyEvent } from "@pixcharge/callback-fetch/receiver"

const secret = `whsec_${Buffer.from("a secret of the receiver of hosts").toString("base64")}`

/** What a host is told, and what has come. */
export interface Receiver {
  readonly env: Readonly<Record<string, string>>
  /** Resolves once a paid event of this charge has come. */
  readonly paid: (chargeId: string) => Promise<void>
  readonly close: () => void
}

/** A receiver of events on this machine, which checks their signatures. */
export const startReceiver = async (): Promise<Receiver> => {
  const events: Array<ReceivedEvent> = []
  const waiting = new Set<() => void>()
  const server = createServer(async (request, response) => {
    const header = (name: string) => request.headers[name] as string | undefined
    const event = verifyEvent({ header, body: await text(request) }, [secret])
    response.writeHead(typeof event === "string" ? 401 : 204).end()
    if (typeof event !== "string") events.push(event)
    for (const check of waiting) check()
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  return {
    env: { PIX_CALLBACK_URL: `http://127.0.0.1:${port}/pix`, PIX_CALLBACK_SECRET: secret },
    paid: (chargeId) =>
      new Promise((resolve) => {
        const check = () => {
          if (!events.some((event) => event.kind === "paid" && event.payment.chargeId === chargeId)) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      }),
    close: () => server.close(),
  }
}
