import type { Problem } from "../pages/problemPage.ts"

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
