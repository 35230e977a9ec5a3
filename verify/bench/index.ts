export { drawPaidAfterMs, live } from "./life/live.ts"
export { withWorld } from "./life/World.ts"
export { nameIn, shownFigures } from "./report.ts"
