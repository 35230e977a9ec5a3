import type { SenderOptions } from "./makeSender.ts"

/** A company by its CNPJ and integrator key; or where tokens come from. */
export type Identity =
  /** For servers only: who has the key can issue and refund. */
  | { readonly cnpj: string; readonly key: string; readonly token?: never }
  /** Gives a fresh token each time: in a browser, from a route of the host's own. */
  | { readonly token: () => Promise<string>; readonly cnpj?: never; readonly key?: never }

/** What `createClient` takes. */
export type ClientOptions = Identity & SenderOptions
