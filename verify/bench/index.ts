export { nameIn, shownFigures } from "./report.ts"
