import type { SenderOptions } from "./makeSender.ts"

/** A company by its CNPJ and integrator key, or a source of tokens. */
export type Identity =
  /** Only for servers, because the holder of the key can issue and refund. */
  | { readonly cnpj: string; readonly key: string; readonly token?: never }
  /** Returns a new token on each call. In a browser, request the token from a route of the host. */
  | { readonly token: () => Promise<string>; readonly cnpj?: never; readonly key?: never }

/** The options of `createClient`. */
export type ClientOptions = Identity & SenderOptions
