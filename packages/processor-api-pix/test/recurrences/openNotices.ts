import { type Exchange, OutboxSignal, PaymentNotices, PixCharges } from "@pixcharge/core"
import type { Recurrences } from "@pixcharge/core/recurring"
import { type ApiPix } from "@pixcharge/processor-api-pix"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { company } from "../bank/openBank.ts"
import { registration } from "../bank/openShop.ts"

const readAll = async (message: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

const { signal } = new AbortController()

const toExchange = (message: IncomingMessage): Exchange => {
  const { method = "GET", url = "/", headers } = message
  return {
    method,
    url,
    fullUrl: url,
    header: (name) => headers[name]?.toString(),
    body: async () => ({ _tag: "Text", text: await readAll(message) }),
    signal,
  }
}

const path = "/webhooks/api-pix"

type EngineServices = Layer.Services<typeof Recurrences.layer>

export const openNotices = <A = never>(
  bank: ApiPix,
  more: Layer.Layer<A, never, EngineServices> = Layer.empty as never,
) =>
  Effect.gen(function* () {
    const engine = Layer.provideMerge(more, PixCharges.layer).pipe(
      Layer.provideMerge(OutboxSignal.layer),
      Layer.provideMerge(
        Layer.mergeAll(
          memoryStore({ inProduction: true }),
          memoryDirectory({ companies: [registration(company)] }),
          bank.processor,
        ),
      ),
    )
    const context = yield* Layer.build(Layer.provideMerge(bank.notices.layer, engine))
    const notices = Context.get(context, PaymentNotices)
    const server = yield* Effect.acquireRelease(
      Effect.promise(async () => {
        const listening = createServer((message, response) => {
          const handled = notices.handle(toExchange(message), (message.url ?? "").slice(path.length))
          if (handled === undefined) return void response.writeHead(404).end()
          void Effect.runPromise(handled).then(({ status }) => response.writeHead(status).end())
        })
        await new Promise<void>((resolve) => void listening.listen(0, "127.0.0.1", resolve))
        return listening
      }),
      (open) => Effect.sync(() => void open.close(() => undefined)),
    )
    return { context, mountedAt: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  })
