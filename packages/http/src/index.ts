export { checkResponder, makeCallerSignal, type Responder, StreamsEnd, unavailableReply } from "./Responder.ts"
export { checkoutPathFlaw, noticesPathFlaw } from "./wire/routes.ts"
export { decodeText, hasBody, readStream, refuseUnread } from "./exchangeBody.ts"
export { fetchHandler, toResponse } from "./fetchHandler.ts"
export { makeIsOwnRequest } from "./makeRouter.ts"
export { pathAndQuery, pathBelow } from "./paths.ts"
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
export { WebExchange } from "./WebExchange.ts"
