import type { BankWays, PublishedWays } from "../wire/BankOptions.ts"

const scopes = [
  ...["cob", "pix", "webhook", "rec", "cobr", "webhookrec", "webhookcobr"].flatMap((of) => [
    `${of}.write`,
    `${of}.read`,
  ]),
  "payloadlocationrec.write",
  "solicrec.write",
]

const both: Partial<BankWays> = {
  apiRoot: "/cielo-pix/v1",
  token: { client: "header", content: "json", scope: "required", scopes, query: {} },
  reshapeToken: (answer) => (answer.status === 200 ? { ...answer, status: 201 } : answer),
  kinds: ["cob"],
}

/**
 * Cielo, modelled on https://docs.cielo.com.br/pix-can-cbk (calls, no certificate in the sandbox) and on ACBrPIXPSPCielo.pas in
 * https://github.com/patrick9as/ACBr (addresses, token); read 2026-11-29.
 */
export const cielo: PublishedWays = {
  production: {
    ...both,
    hosts: { api: "api-mtls.cielo.com.br", token: "api2.cielo.com.br" },
    tokenPath: "/v2/oauth/access-token",
  },
  sandbox: {
    ...both,
    hosts: { api: "api2.cielo.com.br", token: "api2.cielo.com.br" },
    apiRoot: "/sandbox/cielo-pix/v1",
    tokenPath: "/sandbox/v2/oauth/access-token",
    certificate: "none",
  },
}
