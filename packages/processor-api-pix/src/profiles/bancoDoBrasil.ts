import type { KnownProfile } from "../PspProfile.ts"
import { standardProfile } from "./standard.ts"

/**
 * Banco do Brasil: tokens come from another server, and the application's key is in the query of every call of the API. A
 * period must be shorter than five days, and an empty list isn't there (404). Returns Brasília's time without a zone
 * are known of 2021 only. Homologation wants no certificate and names the code otherwise.
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
    { url: "https://github.com/laddertech/pypix-api", readOn: "2026-11-23" },
  ],
  production: { baseUrl: "https://api-pix.bb.com.br", tokenUrl: "https://oauth.bb.com.br/oauth/token" },
  sandbox: {
    baseUrl: "https://api.hm.bb.com.br",
    tokenUrl: "https://oauth.hm.bb.com.br/oauth/token",
    certificate: "none",
    codeFields: ["textoImagemQRcode"],
  },
  apiPath: "/pix/v2",
  query: { "gw-dev-app-key": { from: "applicationKey" } },
  zonelessInstants: "brasilia",
  emptyList: "missing",
  listPeriod: { days: 4 },
}
