export { type PixRouter, pixRouter } from "./pixRouter.ts"
