export { checkout, type CheckoutOptions } from "./checkout.ts"
export { qrPng } from "./qr/qrPng.ts"
export { qrSvg } from "@pixcharge/web"
export type { ExpiredCharge, Renew } from "./renewal/Renew.ts"
