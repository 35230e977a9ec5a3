import { type KnownProfile, type PaceLimit, standardProfile } from "./PspProfile.ts"

const webhooks: PaceLimit = {
  perMinute: 10,
  calls: [
    "PUT webhook",
    "GET webhook",
    "DELETE webhook",
    "PUT recurrenceWebhook",
    "GET recurrenceWebhook",
    "DELETE recurrenceWebhook",
    "PUT cycleWebhook",
    "GET cycleWebhook",
    "DELETE cycleWebhook",
  ],
}
const token: PaceLimit = { perMinute: 5, calls: ["token"] }

/** The bank's own library waits for a minute after a 429. */
const pauseMs = 60_000

/** Inter: an application with several accounts names the account in every call. */
export const inter: KnownProfile = {
  ...standardProfile,
  bank: "Inter",
  sources: [
    {
      url: "https://developers.inter.co/references/pix",
      readOn: "2026-11-22",
    },
    {
      url: "https://github.com/inter-co/pj-sdk-java/tree/65750536e2c5ff570f52ddef09880703e5e2c261",
      readOn: "2026-11-22",
    },
    {
      url: "https://github.com/inter-co/pj-webhook-server-java/blob/47daaa59c093377f0252a27c7edb4fec6fc420c2/README.md",
      readOn: "2026-11-22",
    },
    { url: "https://github.com/inter-co/pj-sdk-python/tree/594744c", readOn: "2026-11-29" },
    {
      url: "https://github.com/patrick9as/ACBr/tree/8b06b3931e354206a5c5008d6fdb271eee74597e/Fontes/ACBrPIXCD",
      readOn: "2026-11-29",
    },
  ],
  production: { baseUrl: "https://cdpj.partners.bancointer.com.br" },
  // Open from 8 to 20 h, Monday to Friday.
  sandbox: {
    baseUrl: "https://cdpj-sandbox.partners.uatinter.co",
    pace: { limits: [{ perMinute: 10 }, token], pauseMs },
  },
  apiPath: "/pix/v2",
  tokenPath: "/oauth/v2/token",
  clientAuthentication: "body",
  headers: { "x-conta-corrente": { from: "account", isOptional: true } },
  webhookKey: "withoutPlus",
  // The bank doesn't say whether operations share the limit. We count all of them together, which is within the limit
  // either way.
  pace: { limits: [{ perMinute: 120 }, webhooks, token], pauseMs },
}
