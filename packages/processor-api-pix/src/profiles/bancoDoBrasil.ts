import { type KnownProfile, standardProfile } from "./PspProfile.ts"

/**
 * Banco do Brasil: times without a zone are read as Brasília's; the only evidence is from 2021. The homologation host
 * of this profile wants no certificate, but the bank has another that wants one.
 */
export const bancoDoBrasil: KnownProfile = {
  ...standardProfile,
  bank: "Banco do Brasil",
  sources: [
    { url: "https://github.com/vinhais/bb-pix-go", readOn: "2026-11-22" },
    { url: "https://github.com/igor061/bbapipix", readOn: "2026-11-22" },
    { url: "https://github.com/eldereng/PixBancoBrasil", readOn: "2026-11-22" },
    {
      url: "https://github.com/frones/ACBr/blob/de676f9aebb2/Fontes/ACBrPIXCD/ACBrPIXPSPBancoDoBrasil.pas",
      readOn: "2026-11-22",
    },
    { url: "https://github.com/laddertech/pypix-api", readOn: "2026-11-29" },
    {
      url: "https://github.com/patrick9as/ACBr/tree/8b06b3931e354206a5c5008d6fdb271eee74597e/Fontes/ACBrPIXCD",
      readOn: "2026-11-29",
    },
    { url: "https://github.com/imobanco/bb-wrapper/tree/88f3074", readOn: "2026-11-29" },
  ],
  production: { baseUrl: "https://api-pix.bb.com.br", tokenUrl: "https://oauth.bb.com.br/oauth/token" },
  sandbox: {
    baseUrl: "https://api.hm.bb.com.br",
    tokenUrl: "https://oauth.hm.bb.com.br/oauth/token",
    certificate: "none",
  },
  apiPath: "/pix/v2",
  query: { "gw-dev-app-key": { from: "applicationKey" } },
  codeFields: ["textoImagemQRcode"],
  zonelessInstants: "brasilia",
  emptyList: "missing",
  listPeriod: { days: 4 },
}
