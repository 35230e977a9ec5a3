import { type KnownProfile, recurringAt, standardProfile } from "./PspProfile.ts"

/**
 * Bradesco: no scope is sent, so the contract's scopes apply. The sandbox is the bank's homologation, which also wants
 * a certificate.
 */
export const bradesco: KnownProfile = {
  ...standardProfile,
  bank: "Bradesco",
  sources: [
    {
      url: "https://github.com/frones/ACBr/blob/39a1a016a265/Fontes/ACBrPIXCD/ACBrPIXPSPBradesco.pas",
      readOn: "2026-11-22",
    },
    { url: "https://github.com/sistem-atc/bank-sdk", readOn: "2026-11-22" },
    { url: "https://github.com/bacen/pix-api/issues/535", readOn: "2026-11-22" },
    {
      url: "https://github.com/patrick9as/ACBr/tree/8b06b3931e354206a5c5008d6fdb271eee74597e/Fontes/ACBrPIXCD",
      readOn: "2026-11-29",
    },
    { url: "https://github.com/sistem-atc/bank-sdk/blob/14a4578c/config/banks.php", readOn: "2026-11-29" },
  ],
  production: {
    baseUrl: "https://qrpix.bradesco.com.br",
    apiPaths: recurringAt("https://apipix.bradesco.com.br/v1"),
  },
  sandbox: {
    baseUrl: "https://qrpix-h.bradesco.com.br",
    apiPaths: recurringAt("https://apipix-h.bradesco.com.br/v1"),
  },
  apiPath: "/v2",
  tokenPath: "/auth/server/oauth/token",
  otherTokenPaths: ["/oauth/token", "/v2/oauth/token"],
  scope: "",
}
