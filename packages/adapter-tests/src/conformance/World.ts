import { CallbackDelivery } from "@pixcharge/core"
import { createPix, type SandboxOptions, type SandboxPix } from "@pixcharge/embed"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export const actors = {
  shop: { cnpj: "12345678000195", key: "chave-da-revenda" },
  neighbour: { cnpj: "11222333000181", key: "chave-do-vizinho" },
  withoutWallet: { cnpj: "12ABC34501DE35", key: "chave-sem-carteira" },
} as const

export type Actor = (typeof actors)[keyof typeof actors]

/** Days after the due date on which the shop's charges stay payable. */
export const graceDays = 5

const reseller = { cnpj: "00000000000191", name: "Revenda", integratorKey: actors.shop.key }

const directory = () =>
  memoryDirectory({
    resellers: [reseller],
    companies: [
      {
        cnpj: actors.shop.cnpj,
        name: "Loja Exemplo",
        city: "São Paulo",
        pixKey: "123e4567-e12b-12d1-a456-426655440000",
        graceDays,
        reseller: reseller.cnpj,
      },
      {
        cnpj: actors.neighbour.cnpj,
        name: "Vizinho",
        city: "Recife",
        pixKey: "vizinho@example.com",
        integratorKey: actors.neighbour.key,
        graceDays: 1,
      },
      {
        cnpj: actors.withoutWallet.cnpj,
        name: "Sem Carteira",
        city: "Natal",
        pixKey: "sem-carteira@example.com",
        integratorKey: actors.withoutWallet.key,
        graceDays: 1,
        walletActive: false,
        ownBankDomicile: false,
      },
    ],
  })

const noDelivery = Layer.succeed(CallbackDelivery, { deliver: () => Effect.die("no endpoint is registered") })

/** A sandbox of three companies, by default on the memory store and without a limit on failed token requests. */
export const makeSandbox = (
  tokens: Partial<SandboxOptions["tokens"]> = { limits: false },
  over: Partial<Pick<SandboxOptions, "openapi" | "store">> = {},
): SandboxPix =>
  createPix({
    environment: "sandbox",
    store: memoryStore(),
    ...over,
    directory: directory(),
    processor: sandboxProcessor(),
    callbacks: noDelivery,
    tokens: { keys: [{ kid: "1", secret: "a secret of the conformance table" }], ...tokens },
  })

/** An actor's CNPJ and key in Base64, as the path of the token route contains them. */
export const basicSecret = ({ cnpj, key }: Actor): string => Buffer.from(`${cnpj}|${key}`).toString("base64")
