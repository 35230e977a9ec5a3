export { install } from "./install.ts"
export { type Snippet, snippetsIn } from "./snippetsIn.ts"
