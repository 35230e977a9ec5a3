export { type MemoryDirectory, memoryDirectory, type MemoryDirectoryOptions } from "./memoryDirectory.ts"
export { memoryStore, type MemoryStoreOptions } from "./memoryStore.ts"
