export { checkout, type CheckoutOptions } from "./checkout.ts"
export { qrPng } from "./qr/qrPng.ts"
export { qrSvg } from "./qr/qrSvg.ts"
export type { ExpiredCharge, Renew } from "./renewal/Renew.ts"
