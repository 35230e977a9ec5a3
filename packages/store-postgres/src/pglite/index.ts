export { type EmbeddedDatabase, embeddedDatabase } from "./embeddedDatabase.ts"
export { FolderInUse } from "./folderLock.ts"
export { FolderNotPrivate, FolderNotWritable } from "./privateFolder.ts"
