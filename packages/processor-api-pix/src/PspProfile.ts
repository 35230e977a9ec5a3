/**
 * How a bank differs from the standard, as data. Most banks work with `standardProfile`; `docs/api-pix.md` says how to
 * write a profile.
 */
export interface PspProfile {
  /** Path of the API below the connection's `baseUrl`, like `/api/v2`. */
  readonly apiPath: string
  /** Path of the token endpoint below `baseUrl`; a connection may name another URL. */
  readonly tokenPath: string
  /**
   * How the client proves itself to the token endpoint: its secret in a header or within the body (RFC 6749 §2.3.1), or
   * no secret at all beside its certificate (RFC 8705 §2).
   */
  readonly clientAuthentication: "basic" | "body" | "certificate"
  readonly tokenBody: "form" | "json"
  /** The scopes of the token, separated by spaces; empty leaves the field out. */
  readonly scope: string
  /**
   * What a second `PUT` of an active charge does: `alters` it, as the central bank's text allows, so that we look before
   * we put; or it is refused (`refuses`), so that we put at once and look only after a refusal.
   */
  readonly putOnExisting: "alters" | "refuses"
  /** Further names under which the bank gives the copy-and-paste code. */
  readonly codeFields: ReadonlyArray<string>
  /** Payments on a page of a list. */
  readonly pageSize: number
}

/** API Pix 2.9.0 to the letter. */
export const standardProfile: PspProfile = {
  apiPath: "/api/v2",
  tokenPath: "/oauth/token",
  clientAuthentication: "basic",
  tokenBody: "form",
  scope: "cob.write cob.read cobv.write cobv.read pix.write pix.read webhook.write webhook.read",
  putOnExisting: "alters",
  codeFields: [],
  pageSize: 100,
}

/**
 * Profiles after what the banks publish. They were tested against our simulated bank only: compare them with your bank's
 * documents, and see `docs/api-pix.md` for its addresses.
 */
export const pspProfiles = {
  standard: standardProfile,
  /** Efí: tokens by JSON, a txid that is taken is refused with 409. */
  efi: { ...standardProfile, apiPath: "/v2", tokenBody: "json", scope: "", putOnExisting: "refuses" },
  /** Banco do Brasil: tokens come from another host, and every call carries the application's key in its query. */
  bancoDoBrasil: { ...standardProfile, apiPath: "/pix/v2" },
  /** Sicredi. */
  sicredi: standardProfile,
  /** Sicoob: no secret, tokens come from another host, and every call carries the client's id in a header. */
  sicoob: { ...standardProfile, apiPath: "/pix/api/v2", clientAuthentication: "certificate" },
} as const satisfies Record<string, PspProfile>
