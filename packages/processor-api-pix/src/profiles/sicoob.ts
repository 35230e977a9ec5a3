import { type KnownProfile, standardProfile } from "./PspProfile.ts"

/** Sicoob: the certificate alone proves the caller. */
export const sicoob: KnownProfile = {
  ...standardProfile,
  bank: "Sicoob",
  sources: [
    {
      url: "https://github.com/Sicoob-Cooperativa/sicoob_sdk_java/blob/4cfe2c821fc011b9969f3374caa8e9430bb29c3f/pix/api/openapi.yaml",
      readOn: "2026-11-22",
    },
    {
      url: "https://github.com/Sicoob-Cooperativa/sicoob_sdk_java/blob/4cfe2c821fc011b9969f3374caa8e9430bb29c3f/auth/api/openapi.yaml",
      readOn: "2026-11-22",
    },
    {
      url: "https://github.com/Suporte-APIs-Sicoob/apis-python/tree/60e6e994bbbb1cd5eea52e114625148b3ebeba8e",
      readOn: "2026-11-22",
    },
    {
      url: "https://github.com/SharpSistemas/SicoobAPI/blob/ea3858cb6daf6676c2bfdcc80e2f4432bd76c1b8/README.md",
      readOn: "2026-11-22",
    },
    {
      url: "https://github.com/AcxTechSistemas/pix_sicoob/blob/ab50c167708f3132c6381ed19d98e48eb86447ae/CHANGELOG.md",
      readOn: "2026-11-22",
    },
    {
      url: "https://github.com/frones/ACBr/blob/422460eba10eec59c70159ffa0a87ce2b29d0afd/Fontes/ACBrPIXCD/ACBrPIXCD-change-log.txt",
      readOn: "2026-11-22",
    },
    {
      url: "https://github.com/patrick9as/ACBr/tree/8b06b3931e354206a5c5008d6fdb271eee74597e/Fontes/ACBrPIXCD",
      readOn: "2026-11-29",
    },
    { url: "https://github.com/laddertech/pypix-api", readOn: "2026-11-29" },
  ],
  production: {
    baseUrl: "https://api.sicoob.com.br",
    tokenUrl: "https://auth.sicoob.com.br/auth/realms/cooperado/protocol/openid-connect/token",
  },
  sandbox: {
    baseUrl: "https://sandbox.sicoob.com.br/sicoob/sandbox",
    clientAuthentication: "fixedToken",
    certificate: "none",
  },
  apiPath: "/pix/api/v2",
  clientAuthentication: "certificate",
  // The bank's own samples have the first of these headers, newer programs have the second, and some have both.
  headers: { client_id: { from: "clientId" }, "x-sicoob-clientid": { from: "clientId" } },
  codeFields: ["brcode"],
  listPeriod: "month",
  recurrences: "missing",
}
