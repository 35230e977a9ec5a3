export { describeHistory } from "./describeHistory.ts"
export { Laboratory } from "./Laboratory.ts"
export { simulatePostgres } from "./simulatePostgres.ts"
