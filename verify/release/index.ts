export { install } from "./install.ts"
export { checkedPages, fragments, snippetFiles } from "./snippetFiles.ts"
export { type Snippet, snippetsIn } from "./snippetsIn.ts"
