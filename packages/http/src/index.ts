export { type Responder, unavailableReply } from "./Responder.ts"
export { StreamsEnd } from "./StreamsEnd.ts"
export { checkoutPathFlaw, noticesPathFlaw } from "./wire/routes.ts"
export { fetchHandler } from "./fetchHandler.ts"
export { makeIsOwnRequest } from "./makeRouter.ts"
export { PixHttp } from "./PixHttp.ts"
export { type Signature, Signatures } from "./tokens/Signatures.ts"
export { type TokenOptions, tokenOptionsFlaw } from "./tokens/TokenOptions.ts"
export {
  InvalidTokenId,
  InvalidTokenOptions,
  TokenClock,
  Tokens,
  TooManyFailures,
  Unauthenticated,
} from "./tokens/Tokens.ts"
