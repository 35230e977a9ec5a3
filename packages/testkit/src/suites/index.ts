export * from "./callbackEndpointsSuite.ts"
export * from "./chargeArchiveSuite.ts"
export * from "./chargeModelSuite.ts"
export * from "./chargeStoreSuite.ts"
export * from "./companyDirectorySuite.ts"
export * from "./directoryAdminSuite.ts"
export {
  aMember,
  anIndependent,
  aReseller,
  type DirectoryAdminUnderTest,
  directoryUnderTest,
  type DirectoryUnderTest,
  type MakeDirectory,
} from "./DirectoryDriver.ts"
export * from "./outboxSuite.ts"
export * from "./reconciliationsSuite.ts"
export type { StoreHooks, StorePorts } from "./StoreDriver.ts"
export * from "./holidayCalendarSuite.ts"
