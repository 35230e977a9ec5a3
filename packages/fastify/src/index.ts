export { pixPlugin } from "./pixPlugin.ts"
export { pixRewriteUrl } from "./pixRewriteUrl.ts"
