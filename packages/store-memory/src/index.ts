export { memoryDirectory, type MemoryDirectoryOptions } from "./memoryDirectory.ts"
export { memoryStore } from "./memoryStore.ts"
