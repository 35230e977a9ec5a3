export { type Snippet, snippetsIn } from "./snippetsIn.ts"
