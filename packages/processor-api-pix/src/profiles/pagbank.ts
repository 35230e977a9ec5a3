import { type KnownProfile, standardProfile } from "./PspProfile.ts"

/**
 * PagBank (PagSeguro): public sources show only immediate charges. A reused return id is refused (`error_messages`,
 * 40002).
 */
export const pagbank: KnownProfile = {
  ...standardProfile,
  bank: "PagBank",
  sources: [
    { url: "https://dev.pagbank.uol.com.br/reference/primeiros-passos", readOn: "2026-11-22" },
    { url: "https://documenter.getpostman.com/view/10863174/TVetc6HV", readOn: "2026-11-22" },
    { url: "https://developer.pagbank.com.br/discuss", readOn: "2026-11-22" },
    { url: "https://github.com/bacen/pix-api/issues/76", readOn: "2026-11-22" },
    {
      url: "https://github.com/patrick9as/ACBr/tree/8b06b3931e354206a5c5008d6fdb271eee74597e/Fontes/ACBrPIXCD",
      readOn: "2026-11-29",
    },
  ],
  production: { baseUrl: "https://secure.api.pagseguro.com" },
  sandbox: { baseUrl: "https://secure.sandbox.api.pagseguro.com" },
  apiPath: "/instant-payments",
  tokenPath: "/pix/oauth2",
  tokenBody: "json",
  scope: "cob.write cob.read pix.write pix.read webhook.write webhook.read",
  codeLocation: "other",
  dueDateCharges: "missing",
  recurrences: "missing",
}
