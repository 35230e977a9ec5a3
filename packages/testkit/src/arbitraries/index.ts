export * from "./BrCode.ts"
export * from "./Charge.ts"
