import { type KnownProfile, recurringAt, standardProfile } from "./PspProfile.ts"

const itauRecurring = recurringAt("https://pixautomatico-recebimentos.api.itau.com/pixautomatico/v1")

/**
 * Itaú's API `pix_recebimentos` (`itau-ep9-gtw-pix-recebimentos-ext-v2`), which the bank is replacing: see
 * `itauRegulatorio`.
 *
 * The sandbox returns examples to every request, so only the token request can be tried there. Pix Automático is a
 * separate API, whose sources disagree on the path of `/cobr`.
 */
export const itau: KnownProfile = {
  ...standardProfile,
  bank: "Itaú (pix_recebimentos)",
  sources: [
    {
      url: "https://github.com/tiagoskabrazil/pixrecebimentos-itau/blob/3f17fc5db67f/docs/openapi_pix_recebimentos_ext_v2.json",
      readOn: "2026-11-22",
    },
    { url: "https://github.com/mastria/api-itau", readOn: "2026-11-22" },
    { url: "https://github.com/bacen/pix-api/issues/573", readOn: "2026-11-22" },
    { url: "https://github.com/bacen/pix-api/issues/9", readOn: "2026-11-22" },
    {
      url: "https://github.com/patrick9as/ACBr/tree/8b06b3931e354206a5c5008d6fdb271eee74597e/Fontes/ACBrPIXCD",
      readOn: "2026-11-29",
    },
    { url: "https://github.com/sistem-atc/bank-sdk/blob/14a4578c/config/banks.php", readOn: "2026-11-29" },
    {
      url: "https://github.com/juspay/hyperswitch/blob/HEAD/crates/hyperswitch_connectors/src/connectors/itaubank.rs",
      readOn: "2026-11-29",
    },
  ],
  production: {
    baseUrl: "https://secure.gateway.api.itau",
    tokenUrl: "https://sts.itau.com.br/api/oauth/token",
    apiPaths: itauRecurring,
  },
  sandbox: {
    baseUrl: "https://sandbox.devportal.itau.com.br",
    apiPath: "/itau-ep9-gtw-pix-recebimentos-ext-v2/v2",
    tokenPath: "/api/oauth/jwt",
    certificate: "none",
    recurrences: "missing",
  },
  apiPath: "/pix_recebimentos/v2",
  clientAuthentication: "body",
  scope: "",
  tokenHeaders: { "x-itau-correlationID": { fresh: "uuid" }, "x-itau-flowID": { fresh: "uuid" } },
  headers: {
    // Most public programs send the client's id. The notes on the other API have a separate key, a UUID.
    "x-itau-apikey": { from: "applicationKey", otherwise: "clientId" },
    // The bank's API definition has the first of these headers, most public programs have the second.
    "x-correlationID": { fresh: "uuid" },
    "x-itau-correlationID": { fresh: "uuid" },
  },
  codeFrom: "codeCall",
  codeFields: ["emv"],
  localInstants: ["GET immediate", "GET payments", "GET payment"],
}

/**
 * Itaú's API `regulatorio-pix` (`itau-ep9-api-regulatorio-pix-v2-externo`) for new contracts. No source reports wrong
 * instants. Its sandbox also returns examples to every request.
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
