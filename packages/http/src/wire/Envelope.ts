import type { Reply } from "@pixcharge/core"
import * as Schema from "effect/Schema"
import { exchangeFailures, type Failure } from "./messages.ts"

/** The body of every failure (docs/interface.md, Failures): exactly these two keys. */
export const ErrorBody = Schema.Struct({
  sucesso: Schema.Literal(false),
  errors: Schema.String.annotate({ description: "Uma frase para pessoas; pode mudar." }),
}).annotate({ identifier: "Erro", description: "Uma falha; a causa está no cabeçalho Pix-Erro." })

/** Those that all of ours carry come first, in a literal: `{ ...a, b }` takes V8 of Node 20 ten times as long as `{ b, ...a }`. */
const replyHeaders = (headers?: Readonly<Record<string, string>>): Reply["headers"] => ({
  "content-type": "application/json; charset=utf-8",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  ...headers,
})

/** A JSON answer with the headers that all of ours carry, in an object of its own: what a host writes into it is in no other's. */
export const jsonReply = (status: number, body: unknown, headers?: Readonly<Record<string, string>>): Reply => ({
  status,
  headers: replyHeaders(headers),
  body: JSON.stringify(body),
})

/** A JSON text that is the same for everybody: caches may keep it for an hour, and ask again by its entity tag. */
export const documentReply = (text: string, etag: string): Reply => ({
  status: 200,
  headers: replyHeaders({ "cache-control": "public, max-age=3600", etag }),
  body: text,
})

/** A failure in the error shape, its code in the `Pix-Erro` header (decision 16). */
export const failureReply = ({ status, code, text }: Failure, headers?: Readonly<Record<string, string>>): Reply =>
  jsonReply(status, { sucesso: false, errors: text }, { "pix-erro": code, ...headers })

/** The answer to a path that nobody has. */
export const notFoundReply = (): Reply => failureReply(exchangeFailures.notFound)

/** A 401 that names the scheme (RFC 9110, 11.6.1). */
export const unauthenticatedReply = (failure: Failure): Reply => failureReply(failure, { "www-authenticate": "Bearer" })
