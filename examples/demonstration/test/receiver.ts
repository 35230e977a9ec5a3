import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { Webhook } from "standardwebhooks"

interface ReceivedPost {
  readonly headers: Record<string, string>
  readonly body: string
}

/** The part of an event's body that the tests read. */
export interface EventBody {
  readonly tipo: string
  readonly dados: { readonly pagamento: { readonly idFaturaPag: string } }
}

/** A merchant's server that keeps every received event. */
export const startReceiver = async () => {
  const received: Array<ReceivedPost> = []
  let isHanging = false
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    received.push({ headers: request.headers as Record<string, string>, body: await text(request) })
    if (!isHanging) response.end()
  }
  // A host that is killed during a callback leaves its request incomplete.
  const server = createServer((request, response) => {
    take(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))

  const next = async (isWanted: (event: EventBody) => boolean, secret: string): Promise<EventBody> => {
    for (;;) {
      const post = received.find(({ body }) => isWanted(JSON.parse(body)))
      if (post !== undefined) return new Webhook(secret).verify(post.body, post.headers) as EventBody
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/pix`,
    next,
    /** Leaves every later event unanswered. */
    hang: () => {
      isHanging = true
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
