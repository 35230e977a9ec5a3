export { type Asset, assetPath } from "./Asset.ts"
export { formatReais, type Formats, formatsFor, formatTaxId, type Lang } from "./formats.ts"
export {
  encodeEvent,
  type EventStream,
  type EventStreams,
  makeEventStreams,
  type ServerSentEvent,
  type StreamLimits,
  type StreamOrder,
  type StreamRefusal,
} from "./eventStreams.ts"
export { fold, type Html, html, type HtmlChild, raw } from "./html.ts"
export { type Csrf, isCrossSite, makeCsrf, type TextSignatures } from "./makeCsrf.ts"
export { makeAssetReply } from "./makeAssetReply.ts"
export { type Page, pageReply, redirectReply, securityHeaders } from "./pageReply.ts"
export { type FailedRequest, type FailureStatus, type PageFailure, type WebApp, webApp } from "./webApp.ts"
export { type Form, get, type PageRequest, type Params, post, type Route } from "./Route.ts"
export { qrModules, qrSvg } from "./qr.ts"
