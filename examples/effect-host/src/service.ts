import { callbackFetch } from "@pixcharge/callback-fetch"
import { EventDispatcher, OutboxSignal, PaymentSimulation, PixCharges } from "@pixcharge/core"
import { PixHttp, Tokens } from "@pixcharge/http"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import * as Layer from "effect/Layer"

const Adapters = Layer.mergeAll(
  memoryStore(),
  memoryDirectory({
    companies: [
      {
        cnpj: "12345678000195",
        name: "Livraria Efeito",
        city: "Olinda",
        pixKey: "livraria@example.com",
        integratorKey: "chave-da-livraria",
        graceDays: 3,
      },
    ],
  }),
  sandboxProcessor(),
  callbackFetch(),
)

/** pixcharge, composed by the host itself: any service of it can be used, replaced or left out. */
export const PixService = PixHttp.layer.pipe(
  Layer.provideMerge(PaymentSimulation.layer),
  Layer.provideMerge(Layer.mergeAll(PixCharges.layer, EventDispatcher.layer)),
  Layer.provideMerge(
    Tokens.layer({ keys: [{ kid: "1", secret: "a secret of at least 32 bytes, kept safe" }], environment: "sandbox" }),
  ),
  Layer.provideMerge(OutboxSignal.layer),
  Layer.provideMerge(Adapters),
)
