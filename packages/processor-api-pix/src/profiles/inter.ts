import type { KnownProfile } from "../PspProfile.ts"
import { standardProfile } from "./standard.ts"

/**
 * Inter: the secret is in the token's form; an application of more than one account names the account with every call; the
 * path of a webhook has a telephone number without `+`.
 */
export const inter: KnownProfile = {
  ...standardProfile,
  bank: "Inter",
  sources: [
    { url: "https://developers.inter.co/references/pix", readOn: "2026-11-22" },
    { url: "https://github.com/inter-co/pj-sdk-java", readOn: "2026-11-22" },
    { url: "https://github.com/inter-co/pj-webhook-server-java", readOn: "2026-11-22" },
  ],
  production: { baseUrl: "https://cdpj.partners.bancointer.com.br" },
  // Open from 8 to 20 h, Monday to Friday.
  sandbox: { baseUrl: "https://cdpj-sandbox.partners.uatinter.co" },
  apiPath: "/pix/v2",
  tokenPath: "/oauth/v2/token",
  clientAuthentication: "body",
  headers: { "x-conta-corrente": { from: "account", isOptional: true } },
  webhookKey: "withoutPlus",
}
