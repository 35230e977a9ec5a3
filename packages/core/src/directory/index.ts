export { parseCallbackSecret } from "./CallbackSecret.ts"
export { type CompanyFacts, parseHolder, type ResellerFacts } from "./CompanyFacts.ts"
export {
  type CompanyInput,
  parseCompany,
  parseReseller,
  resellerCnpj,
  type ResellerInput,
  resellersKeyRule,
} from "./CompanyInput.ts"
export {
  type Credential,
  type CredentialKey,
  type DirectoryEntry,
  type KeyDigest,
  keyHolder,
} from "./DirectoryEntry.ts"
export {
  type CallbackInput,
  callbackId,
  type Endpoint,
  endpointHost,
  type EndpointTarget,
  type HostEndpoint,
} from "./Endpoint.ts"
export { type HostCompany, type HostKey, parseHostCompany } from "./HostCompany.ts"
export { checkIntegratorKey, newIntegratorKey } from "./integratorKey.ts"
export { integratorKeyDigest, makeKeyCheck } from "./keyCheck.ts"
export { InvalidRegistration, parseFlag } from "./InvalidRegistration.ts"
export { type KeyRing, keyRingFlaw, type RingKey } from "./KeyRing.ts"
