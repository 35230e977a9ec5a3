export { type Asset, assetPath } from "./Asset.ts"
export { formatReais, type Lang } from "./formatReais.ts"
export { encodeEvent, type ServerSentEvent } from "./eventStreams/encodeEvent.ts"
export {
  type EventStream,
  type EventStreams,
  makeEventStreams,
  type StreamLimits,
  type StreamOrder,
  type StreamRefusal,
} from "./eventStreams/makeEventStreams.ts"
export { type Formats, formatsFor } from "./formatsFor.ts"
export { formatTaxId } from "./formatTaxId.ts"
export { type Html, type HtmlChild, html, raw } from "./html.ts"
export { isCrossSite } from "./isCrossSite.ts"
export { makeAssetReply } from "./makeAssetReply.ts"
export { type Csrf, makeCsrf, type TextSignatures } from "./makeCsrf.ts"
export { type Page, pageReply } from "./pageReply.ts"
export type { FailureStatus } from "./pageRefusal.ts"
export { redirectReply } from "./redirectReply.ts"
export { type Form, get, type PageRequest, type Params, post, type Route } from "./Route.ts"
export { securityHeaders } from "./securityHeaders.ts"
export { fold } from "./fold.ts"
export { type FailedRequest, type PageFailure, type WebApp, webApp } from "./webApp.ts"
export { qrModules } from "./qr/qrModules.ts"
export { qrSvg } from "./qr/qrSvg.ts"
