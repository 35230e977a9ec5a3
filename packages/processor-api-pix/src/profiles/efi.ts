import type { KnownProfile } from "../PspProfile.ts"
import { standardProfile } from "./standard.ts"

/** Efí: tokens by JSON; a txid that is taken is refused. */
export const efi: KnownProfile = {
  ...standardProfile,
  bank: "Efí",
  sources: [
    { url: "https://dev.efipay.com.br/docs/api-pix/credenciais", readOn: "2026-11-22" },
    { url: "https://dev.efipay.com.br/docs/api-pix/webhooks", readOn: "2026-11-22" },
  ],
  production: { baseUrl: "https://pix.api.efipay.com.br" },
  sandbox: { baseUrl: "https://pix-h.api.efipay.com.br" },
  apiPath: "/v2",
  tokenBody: "json",
  scope: "",
  putOnExisting: "refuses",
  absentKinds: ["cobranca_nao_encontrada", "pix_nao_encontrado", "devolucao_nao_encontrada", "webhook_nao_encontrado"],
  // The bank adds `/pix` to the URL: so it becomes the value of a parameter.
  webhookSuffix: "?ignorar=",
  skipWebhookMtlsHeaders: { "x-skip-mtls-checking": "true" },
}
