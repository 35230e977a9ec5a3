export * from "./Fees.ts"
export * from "./Money.ts"
