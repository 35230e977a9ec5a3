export { default } from "../../store-postgres/test/globalSetup.ts"
