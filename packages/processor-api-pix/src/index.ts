export { type ApiPix, apiPix, type ApiPixOptions } from "./apiPix.ts"
export { type ApiPixConnection, ApiPixMisconfigured, type StageName } from "./connection/ApiPixConnection.ts"
export type { ApiPixCompanies } from "./client/Connections.ts"
export type { Fetch, TlsIdentity } from "./connection/transports.ts"
export {
  type BankPace,
  type CredentialName,
  type KnownProfile,
  type PacedCall,
  type PaceLimit,
  type PspProfile,
  type PspStage,
  type PspValue,
  type PspWays,
  standardProfile,
} from "./profiles/PspProfile.ts"
export { type ProfileName, pspProfiles } from "./profiles/pspProfiles.ts"
export type { ReceivingAccount } from "./wire/bodies.ts"
export type { Endpoint } from "./wire/paths.ts"
export type { WebhookOrder } from "./notices/registerWebhook.ts"
