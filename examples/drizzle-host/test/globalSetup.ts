export { providePostgres as default } from "@pixcharge/verify/world"
