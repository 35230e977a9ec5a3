export {
  callbackId,
  type CallbackInput,
  type Endpoint,
  endpointHost,
  type EndpointTarget,
  type HostEndpoint,
  parseCallbackSecret,
} from "./Endpoint.ts"
export { type CompanyFacts, parseHolder, type ResellerFacts } from "./CompanyFacts.ts"
export {
  checkIntegratorKey,
  type CompanyInput,
  newIntegratorKey,
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
  type HostCompany,
  type HostKey,
  type KeyDigest,
  keyHolder,
  parseHostCompany,
} from "./HostCompany.ts"
export { integratorKeyDigest, type KeyRing, keyRingFlaw, makeKeyCheck, type RingKey } from "./KeyRing.ts"
export { InvalidRegistration, parseFlag } from "./directoryErrors.ts"
