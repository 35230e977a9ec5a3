export * from "./memoryDirectory.ts"
export * from "./memoryStore.ts"
export type { Registry } from "./Registry.ts"
