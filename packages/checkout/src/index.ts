export type { CheckoutOptions } from "./checkoutOf.ts"
export type { ExpiredCharge, Renew } from "./renewal/Renew.ts"
