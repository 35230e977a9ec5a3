import type { KnownProfile } from "../PspProfile.ts"
import { standardProfile } from "./standard.ts"

/**
 * Sicoob: the certificate alone proves who calls, and the client's id comes with every call; the code is `brcode`; the list
 * of payments stays within a month. Its sandbox has one token, and wants no certificate.
 */
export const sicoob: KnownProfile = {
  ...standardProfile,
  bank: "Sicoob",
  sources: [
    { url: "https://github.com/Sicoob-Cooperativa/sicoob_sdk_java (pix and auth: openapi.yaml)", readOn: "2026-11-22" },
    { url: "https://github.com/Suporte-APIs-Sicoob/apis-python", readOn: "2026-11-22" },
    { url: "https://github.com/AcxTechSistemas/pix_sicoob (CHANGELOG.md)", readOn: "2026-11-22" },
    { url: "https://github.com/frones/ACBr (ACBrPIXCD: ACBrPIXPSPSicoob.pas, change log)", readOn: "2026-11-22" },
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
  headers: { client_id: { from: "clientId" } },
  codeFields: ["brcode"],
  listPeriod: "month",
}
