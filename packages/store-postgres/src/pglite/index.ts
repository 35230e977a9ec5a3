export { type EmbeddedDatabase, embeddedDatabase } from "./embeddedDatabase.ts"
export { FolderInUse } from "./folderLock.ts"
export { FolderNotPrivate } from "./privateFolder.ts"
