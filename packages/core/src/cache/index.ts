export { type Cache, type CacheOptions, makeCache } from "./Cache.ts"
export { makeRecentMap, type RecentMap } from "./RecentMap.ts"
export { makeSingleFlight, type SingleFlight } from "./SingleFlight.ts"
