import * as Context from "effect/Context"

// Every JavaScript runtime that this library runs in has it; the project's types name no platform.
declare const crypto: { readonly randomUUID: () => string }

/** Makes the UUID by which a transaction is known (`data.transacaoId`); random by default; a test gives its own. */
export const TransactionIds = Context.Reference<{ readonly next: () => string }>(
  "@pixcharge/core/ports/TransactionIds",
  { defaultValue: () => ({ next: () => crypto.randomUUID() }) },
)
