import { type KnownProfile, standardProfile } from "./PspProfile.ts"

/**
 * Santander: charges have no `loc`, and seldom a code. Tokens from another product's address (`/auth/oauth/v2/token`)
 * don't work here.
 */
export const santander: KnownProfile = {
  ...standardProfile,
  bank: "Santander",
  sources: [
    {
      url: "https://github.com/frones/ACBr/blob/ae2b631460f987ed10d3ff484ee504218512043a/Fontes/ACBrPIXCD/ACBrPIXPSPSantander.pas",
      readOn: "2026-11-22",
    },
    {
      url: "https://github.com/frones/ACBr/blob/422460eba10eec59c70159ffa0a87ce2b29d0afd/Fontes/ACBrPIXCD/ACBrPIXCD-change-log.txt",
      readOn: "2026-11-22",
    },
    {
      url: "https://github.com/juspay/hyperswitch/blob/HEAD/crates/hyperswitch_connectors/src/connectors/santander.rs",
      readOn: "2026-11-29",
    },
    { url: "https://github.com/juspay/hyperswitch/issues/11556", readOn: "2026-11-23" },
    { url: "https://github.com/juspay/hyperswitch/issues/13477", readOn: "2026-11-23" },
    {
      url: "https://github.com/patrick9as/ACBr/tree/8b06b3931e354206a5c5008d6fdb271eee74597e/Fontes/ACBrPIXCD",
      readOn: "2026-11-29",
    },
  ],
  production: { baseUrl: "https://trust-pix.santander.com.br" },
  // The bank also has a mock server (pix.santander.com.br), which only returns samples.
  sandbox: { baseUrl: "https://trust-pix-h.santander.com.br" },
  apiPath: "/api/v1",
  apiPaths: { "PATCH immediate": "/api/v2", "PATCH dueDate": "/api/v2" },
  clientAuthentication: "body",
  tokenQuery: { grant_type: "client_credentials" },
  scope: "",
  // About half of the public programs send this header.
  headers: { "x-application-key": { from: "clientId" } },
  putOnExisting: "refuses",
}
