export { options } from "./options.ts"
