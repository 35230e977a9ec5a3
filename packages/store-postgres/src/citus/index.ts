export { citusStore, type CitusStoreOptions } from "./citusStore.ts"
export { CitusUnusable } from "./CitusUnusable.ts"
export { distribute, type Distributed, type DistributeOptions } from "./distribute.ts"
