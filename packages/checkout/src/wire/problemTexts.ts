/** Why a payer's request gets no page. */
export interface Problem {
  readonly kind:
    /** The link is not signed by us, or has no such page below it (404). */
    | "unknown"
    /** The link has expired (410). */
    | "expired"
    /** The store or the directory is out of reach (503). */
    | "unavailable"
    /** The host issued no new charge (503). */
    | "renewalFailed"
    /** The path has no such method (405). */
    | "method"
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

/** What `/estado` says when it has no state. */
export const problemTexts: Readonly<Record<Problem["kind"], string>> = {
  unknown: "Este link não existe.",
  expired: "Este link expirou.",
  unavailable: "Não foi possível consultar agora. Tente de novo em alguns segundos.",
  renewalFailed: "Não foi possível gerar um novo código agora. Tente de novo em alguns segundos.",
  method: "Este endereço não aceita este método.",
}

/** What it says when no more streams can be opened. */
export const tooManyText =
  "Há páginas demais abertas ao mesmo tempo. Consulte este endereço em JSON, de tempos em tempos."
