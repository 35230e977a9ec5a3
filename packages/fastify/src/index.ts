export { pixFrameworkErrors } from "./pixFrameworkErrors.ts"
export { pixPlugin } from "./pixPlugin.ts"
