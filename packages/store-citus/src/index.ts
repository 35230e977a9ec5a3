export { citusStore, type CitusStoreOptions } from "./citusStore.ts"
export { CitusUnusable } from "./Shards.ts"
export { distribute, type Distributed, type DistributeOptions } from "./distribute.ts"
export { maintenance } from "./maintenance.ts"
