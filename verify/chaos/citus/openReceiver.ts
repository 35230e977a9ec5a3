import { once } from "node:events"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import type { Ledger } from "./Ledger.ts"

interface Body {
  readonly id: string
  readonly dados: { readonly pagamento: { readonly idFaturaPag: string; readonly endToEndId: string } }
}

/** Takes every callback, and enters it into the ledger before it answers. */
export const openReceiver = async ({ received }: Pick<Ledger, "received">) => {
  const take = async (request: IncomingMessage): Promise<void> => {
    const { id, dados } = JSON.parse(await text(request)) as Body
    const { idFaturaPag: chargeId, endToEndId } = dados.pagamento
    received.push({ id, chargeId, endToEndId, arrivedAt: Date.now() })
  }
  const server = createServer((request, response) => {
    take(request).then(
      () => response.end(),
      () => response.destroy(),
    )
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
