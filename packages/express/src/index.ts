export { pixRouter } from "./pixRouter.ts"
