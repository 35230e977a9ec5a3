import type { KnownProfile } from "../PspProfile.ts"
import { itau, itauRecurring } from "./itau.ts"

/**
 * Itaú, its API `regulatorio-pix` (`itau-ep9-api-regulatorio-pix-v2-externo`), which new contracts get: at another
 * address, with the code in the charge. Nobody has said that its instants are off. Returns end later. Its sandbox, too,
 * returns examples.
 */
export const itauRegulatorio: KnownProfile = {
  ...itau,
  bank: "Itaú (regulatorio-pix)",
  sources: [
    {
      url: "https://github.com/leonardolermen/payment-gateway/blob/09b8c448a8bc/docs/providers/itau/itau-ep9-api-regulatorio-pix-v2-externo.openapi.json",
      readOn: "2026-11-22",
    },
    {
      url: "https://github.com/leonardolermen/payment-gateway/blob/a8028869f8ff/docs/providers/itau/NOTES.md",
      readOn: "2026-11-22",
    },
    { url: "https://github.com/sistem-atc/bank-sdk/blob/14a4578c/config/banks.php", readOn: "2026-11-29" },
  ],
  production: {
    baseUrl: "https://pix-pj.api.itau.com",
    tokenUrl: "https://sts.itau.com.br/as/token.oauth2",
    apiPaths: itauRecurring,
  },
  sandbox: {
    baseUrl: "https://sandbox.devportal.itau.com.br",
    apiPath: "/itau-ep9-api-regulatorio-pix-v2-externo/v2",
    tokenPath: "/api/oauth/jwt",
    certificate: "none",
    recurrences: "missing",
  },
  apiPath: "/regulatorio-pix/v2",
  codeFrom: "charge",
  codeFields: [],
  localInstants: [],
}
