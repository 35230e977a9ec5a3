import type { SenderOptions } from "./makeSender.ts"

/** A company by its CNPJ and integrator key, or a source of tokens. */
export type Identity =
  /** For servers only: the key's holder can issue and refund. */
  | { readonly cnpj: string; readonly key: string; readonly token?: never }
  /** Returns a fresh token each time. In a browser, request it from a route of the host. */
  | { readonly token: () => Promise<string>; readonly cnpj?: never; readonly key?: never }

/** The options of `createClient`. */
export type ClientOptions = Identity & SenderOptions
