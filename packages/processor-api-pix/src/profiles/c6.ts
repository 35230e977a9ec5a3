import { type KnownProfile, standardProfile } from "./PspProfile.ts"

/**
 * C6 Bank: no scope is sent, because the bank refuses any (`invalid_request`). Its rate limits and the form of its webhook calls
 * aren't public.
 */
export const c6: KnownProfile = {
  ...standardProfile,
  bank: "C6 Bank",
  sources: [
    { url: "https://developers.c6bank.com.br/pix-api", readOn: "2026-11-22" },
    // The bank's own collections of calls to its sandbox and to production.
    { url: "https://github.com/leandronunes07/c6bank-php-sdk/tree/4ecad5d9/postman", readOn: "2026-11-22" },
    { url: "https://github.com/ia-dev-sindireceita/payment", readOn: "2026-11-22" },
    {
      url: "https://github.com/patrick9as/ACBr/tree/8b06b3931e354206a5c5008d6fdb271eee74597e/Fontes/ACBrPIXCD",
      readOn: "2026-11-29",
    },
  ],
  production: { baseUrl: "https://baas-api.c6bank.info" },
  sandbox: { baseUrl: "https://baas-api-sandbox.c6bank.info" },
  apiPath: "/v2/pix",
  tokenPath: "/v1/auth",
  scope: "",
  recurrences: "withDebtor",
}
