import { type KnownProfile, standardProfile } from "./PspProfile.ts"

/** Cielo: tokens come with status 201. No public source shows due-date charges or a list of payments. */
export const cielo: KnownProfile = {
  ...standardProfile,
  bank: "Cielo",
  sources: [
    { url: "https://docs.cielo.com.br/pix-can-cbk/docs/primeiros-passos", readOn: "2026-11-29" },
    { url: "https://docs.cielo.com.br/pix-can-cbk/reference/autentica%C3%A7%C3%A3o", readOn: "2026-11-29" },
    {
      url: "https://github.com/patrick9as/ACBr/blob/cb67cb58d134f0c7e50de7353795e2da033318cc/Fontes/ACBrPIXCD/ACBrPIXPSPCielo.pas",
      readOn: "2026-11-29",
    },
  ],
  production: {
    baseUrl: "https://api-mtls.cielo.com.br",
    tokenUrl: "https://api2.cielo.com.br/v2/oauth/access-token",
  },
  sandbox: {
    baseUrl: "https://api2.cielo.com.br",
    apiPath: "/sandbox/cielo-pix/v1",
    tokenPath: "/sandbox/v2/oauth/access-token",
    certificate: "none",
  },
  apiPath: "/cielo-pix/v1",
  tokenBody: "json",
  scope: "cob.write cob.read pix.write pix.read webhook.write webhook.read",
  dueDateCharges: "missing",
}
