export * from "./embeddedDatabase.ts"
export { FolderInUse } from "./folderLock.ts"
