export { citusStore, type CitusStoreOptions } from "./citusStore.ts"
export { CitusUnusable } from "./shards/Shards.ts"
export { distribute, type Distributed, type DistributeOptions } from "./cluster/distribute.ts"
export { maintenance } from "./maintenance.ts"
