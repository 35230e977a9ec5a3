import {
  type ChargeId,
  type Cnpj,
  type InvalidChargeId,
  type InvalidTaxId,
  type Page,
  type PageRequest,
  parseChargeId,
  parseCnpj,
} from "@pixcharge/core"
import * as Effect from "effect/Effect"

const pageSize = 500

/** Runs an operation of the services; rejects with its tagged error. */
export type Run = <A, E>(effect: Effect.Effect<A, E>) => Promise<A>

/** An operation of a company that the host names by its CNPJ as text. */
export const asCompany = <A, E>(
  issuer: string,
  use: (company: Cnpj) => Effect.Effect<A, E>,
): Effect.Effect<A, E | InvalidTaxId> => Effect.flatMap(Effect.fromResult(parseCnpj(issuer)), use)

/** A company and a charge from a host's plain text. */
export const named = (
  issuer: string,
  id: string,
): Effect.Effect<readonly [Cnpj, ChargeId], InvalidTaxId | InvalidChargeId> =>
  Effect.all([Effect.fromResult(parseCnpj(issuer)), Effect.fromResult(parseChargeId(id))])

/** The page that a host asks for, of the usual size unless told. */
export const pageOf = (page: Partial<PageRequest> = {}): PageRequest => ({ limit: pageSize, ...page })

/** Every item of a list, read page by page as they are wanted. */
export async function* pages<A>(read: (page: PageRequest) => Promise<Page<A>>): AsyncGenerator<A, void> {
  let page: Page<A> = await read(pageOf())
  yield* page.items
  while (page.cursor !== undefined) {
    page = await read(pageOf({ cursor: page.cursor }))
    yield* page.items
  }
}
