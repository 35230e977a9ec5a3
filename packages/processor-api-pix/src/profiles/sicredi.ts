import { type KnownProfile, recurringAt, standardProfile } from "./PspProfile.ts"

/** Sicredi: older guides have v2 for all calls. */
export const sicredi: KnownProfile = {
  ...standardProfile,
  bank: "Sicredi",
  sources: [
    {
      url: "https://github.com/laddertech/pypix-api/blob/24be86183ed1841d7f13a182f65ba96aca7ee07b/docs/Sicredi/RELATORIO_VIABILIDADE_SICREDI.md",
      readOn: "2026-11-22",
    },
    {
      url: "https://github.com/Setup-Automatizado/sicredi-sdk/blob/d468c03102fca2e63244de9162908d45bab2016c/src/utils/constants.ts",
      readOn: "2026-11-22",
    },
    {
      url: "https://github.com/frones/ACBr/blob/39a1a016a2657c7e0ae1bb457c92b9231e210842/Fontes/ACBrPIXCD/ACBrPIXPSPSicredi.pas",
      readOn: "2026-11-22",
    },
    {
      url: "https://github.com/frones/ACBr/blob/422460eba10eec59c70159ffa0a87ce2b29d0afd/Fontes/ACBrPIXCD/ACBrPIXCD-change-log.txt",
      readOn: "2026-11-22",
    },
    { url: "https://github.com/laddertech/pypix-api", readOn: "2026-11-29" },
    { url: "https://github.com/Setup-Automatizado/sicredi-sdk/tree/74d6f80a", readOn: "2026-11-29" },
  ],
  production: { baseUrl: "https://api-pix.sicredi.com.br" },
  sandbox: { baseUrl: "https://api-pix-h.sicredi.com.br" },
  apiPaths: {
    "PUT immediate": "/api/v3",
    "GET immediate": "/api/v3",
    "PATCH immediate": "/api/v3",
    ...recurringAt("/api/v1"),
  },
  tokenRefusals: [{ status: 403, says: "expired" }],
}
