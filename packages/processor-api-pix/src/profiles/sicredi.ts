import type { KnownProfile } from "../PspProfile.ts"
import { standardProfile } from "./standard.ts"

/**
 * Sicredi: single immediate charges are below v3, everything else below v2 (its collection of calls; older guides have v2
 * for all); an expired token is 403.
 */
export const sicredi: KnownProfile = {
  ...standardProfile,
  bank: "Sicredi",
  sources: [
    { url: "https://github.com/laddertech/pypix-api (docs/Sicredi: guide 1.9.5, collection)", readOn: "2026-11-22" },
    { url: "https://github.com/Setup-Automatizado/sicredi-sdk", readOn: "2026-11-22" },
    { url: "https://github.com/frones/ACBr (ACBrPIXCD: ACBrPIXPSPSicredi.pas, change log)", readOn: "2026-11-22" },
  ],
  production: { baseUrl: "https://api-pix.sicredi.com.br" },
  // The bank calls it homologation.
  sandbox: { baseUrl: "https://api-pix-h.sicredi.com.br" },
  apiPaths: { "PUT immediate": "/api/v3", "GET immediate": "/api/v3", "PATCH immediate": "/api/v3" },
  tokenRefusals: [{ status: 403, says: "expired" }],
}
