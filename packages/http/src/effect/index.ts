export { pixRoutes } from "./pixRoutes.ts"
