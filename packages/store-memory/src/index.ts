export * from "./memoryDirectory.ts"
export * from "./memoryStore.ts"
