export { build as default } from "../../world/build.ts"
