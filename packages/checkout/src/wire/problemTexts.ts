import type { Problem } from "../Pages.ts"

/** What `/estado` says where it has nothing to tell. */
export const problemTexts: Readonly<Record<Problem["kind"], string>> = {
  unknown: "Este link não existe.",
  expired: "Este link expirou.",
  unavailable: "Não foi possível consultar agora. Tente de novo em alguns segundos.",
  // Stryker disable next-line StringLiteral: who renews is answered with a page, and never from `/estado`
  renewalFailed: "Não foi possível gerar um novo código agora. Tente de novo em alguns segundos.",
  method: "Este endereço não aceita este método.",
}

/** What it says where no more streams can be opened. */
export const tooManyText =
  "Há páginas demais abertas ao mesmo tempo. Consulte este endereço em JSON, de tempos em tempos."
