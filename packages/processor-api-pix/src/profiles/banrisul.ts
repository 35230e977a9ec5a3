import { type KnownProfile, standardProfile } from "./PspProfile.ts"

/** Banrisul: the standard at its own addresses. Its rate limits and the form of its webhook calls aren't public. */
export const banrisul: KnownProfile = {
  ...standardProfile,
  bank: "Banrisul",
  sources: [
    {
      url: "https://developers.banrisul.com.br/pages/docs/clientes-banrisul/api-pix-v2.9.0.html",
      readOn: "2026-11-22",
    },
    { url: "https://github.com/divulgueregional/api-banrisul", readOn: "2026-11-22" },
    {
      url: "https://github.com/patrick9as/ACBr/tree/8b06b3931e354206a5c5008d6fdb271eee74597e/Fontes/ACBrPIXCD",
      readOn: "2026-11-29",
    },
  ],
  production: { baseUrl: "https://mtls-api.banrisul.com.br" },
  sandbox: { baseUrl: "https://mtls-api-h.banrisul.com.br" },
  apiPath: "/pix/api-mtls",
  tokenPath: "/auth/oauth/v2/token",
}
