export interface Problem {
  readonly kind:
    /** The link's signature is invalid, or the link has no page at this path (404). */
    | "unknown"
    /** The link has expired (410). */
    | "expired"
    /** The store or the directory can't be reached (503). */
    | "unavailable"
    /** The host issued no new charge (503). */
    | "renewalFailed"
    /** The path doesn't allow the method (405). */
    | "method"
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

export const problemTexts: Readonly<Record<Problem["kind"], string>> = {
  unknown: "Este link não existe.",
  expired: "Este link expirou.",
  unavailable: "Não foi possível consultar agora. Tente de novo em alguns segundos.",
  renewalFailed: "Não foi possível gerar um novo código agora. Tente de novo em alguns segundos.",
  method: "Este endereço não aceita este método.",
}

/** The answer of `/estado` if no stream is free. */
export const tooManyText =
  "Há páginas demais abertas ao mesmo tempo. Consulte este endereço em JSON, de tempos em tempos."
