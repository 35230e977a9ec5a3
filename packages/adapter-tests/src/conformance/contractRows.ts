import { PixApi, PixAuthorization } from "@pixcharge/http/contract"
import * as Effect from "effect/Effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient, HttpApiMiddleware } from "effect/http-api"
import { expect } from "vitest"
import { it } from "../suites/itEffect.ts"
import type { Conformance } from "./Conformance.ts"
import { immediate, payer } from "./requests.ts"
import { actors, basicSecret } from "./World.ts"

const makeClient = ({ mounted, tokenFor }: Conformance) =>
  HttpApiClient.make(PixApi, {
    transformClient: HttpClient.mapRequest(HttpClientRequest.prependUrl(mounted.baseUrl)),
  }).pipe(
    Effect.provide(
      HttpApiMiddleware.layerClient(PixAuthorization, ({ next, request }) =>
        next(HttpClientRequest.bearerToken(request, tokenFor(actors.shop))),
      ),
    ),
  )

/** The client generated from the contract decodes the server's answers. */
export const contractRows = (world: () => Conformance): void => {
  it.live("the generated client authenticates, issues, pays, queries and refunds", () =>
    Effect.gen(function* () {
      const client = yield* makeClient(world())
      const token = yield* client.token.issue({ params: { segredoBase64: basicSecret(actors.shop) } })
      expect(token.data).toBeTypeOf("string")
      const { cnpj, key: chave } = actors.shop
      expect((yield* client.token.issueByPost({ payload: { cnpj, chave } })).data).toBeTypeOf("string")

      const formaPagamento = immediate({ valorPagamento: 33.3 })
      const params = { idFaturaPag: formaPagamento.idFaturaPag }
      const issued = yield* client.pix.issue({
        payload: { formaPagamento: { ...formaPagamento, tpTransacao: 11, modPagamento: 18 }, cliente: payer },
      })
      const pending = yield* Effect.flip(client.pix.status({ params }))
      expect(pending).toMatchObject({ sucesso: false, errors: "Pagamento pendente." })
      yield* client.pix.simulate({ params })
      const paid = yield* client.pix.status({ params })
      expect(paid.data.response).toMatchObject({ id: issued.data.transacaoId, vLanc: 33.3 })
      const refunded = yield* client.pix.refund({ params })
      expect(refunded.data.referencia).toBe(params.idFaturaPag)
    }).pipe(Effect.provide(FetchHttpClient.layer)),
  )

  it.live("the generated client decodes failures as the error shape", () =>
    Effect.gen(function* () {
      const client = yield* makeClient(world())
      const unknown = yield* Effect.flip(client.pix.status({ params: { idFaturaPag: crypto.randomUUID() } }))
      expect(unknown).toMatchObject({ sucesso: false, errors: "Cobrança não encontrada." })
    }).pipe(Effect.provide(FetchHttpClient.layer)),
  )
}
