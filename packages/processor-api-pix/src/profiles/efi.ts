import { type KnownProfile, standardProfile } from "./PspProfile.ts"

/** Efí: the application's scopes apply. We read a copy of its documentation of 2024-07-17. */
export const efi: KnownProfile = {
  ...standardProfile,
  bank: "Efí",
  sources: [
    { url: "https://github.com/mpaivaana/error-report/tree/561cdade3f79/docs/api-pix", readOn: "2026-11-22" },
    {
      url: "https://github.com/frones/ACBr/blob/2ca889af0b17/Fontes/ACBrPIXCD/ACBrPIXPSPGerenciaNet.pas",
      readOn: "2026-11-22",
    },
    { url: "https://github.com/efipay/sdk-node-apis-efi/issues/2", readOn: "2026-11-22" },
    { url: "https://github.com/efipay/sdk-node-apis-efi/issues/13", readOn: "2026-11-23" },
    { url: "https://github.com/efipay/sdk-node-apis-efi", readOn: "2026-11-29" },
    {
      url: "https://github.com/patrick9as/ACBr/tree/8b06b3931e354206a5c5008d6fdb271eee74597e/Fontes/ACBrPIXCD",
      readOn: "2026-11-29",
    },
  ],
  production: { baseUrl: "https://pix.api.efipay.com.br" },
  sandbox: { baseUrl: "https://pix-h.api.efipay.com.br" },
  apiPath: "/v2",
  tokenBody: "json",
  scope: "",
  putOnExisting: "refuses",
  returnReason: "leftOut",
  recurrenceDemands: ["receiverBranch", "payerBranch", "amount"],
  absentKinds: ["cobranca_nao_encontrada", "pix_nao_encontrado", "devolucao_nao_encontrada", "webhook_nao_encontrado"],
  // The bank appends `/pix` to the URL. This suffix makes `/pix` the value of a parameter.
  webhookSuffix: "?ignorar=",
  skipWebhookMtlsHeaders: { "x-skip-mtls-checking": "true" },
}
