export { drawPaidAfterMs, live } from "./life/live.ts"
export { withWorld, type World } from "./life/World.ts"
export { openSandbox } from "../world/sandbox.ts"
export { nameIn, shownFigures } from "./report.ts"
