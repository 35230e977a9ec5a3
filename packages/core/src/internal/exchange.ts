/** For bindings, without the engine. */
export { Pieces, readUpTo } from "../runtime/exchange.ts"
export { hasMethods, InvalidOption } from "../runtime/options.ts"
