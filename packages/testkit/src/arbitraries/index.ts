export * from "./Charge.ts"
