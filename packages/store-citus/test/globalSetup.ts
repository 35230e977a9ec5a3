import { providePostgres } from "@pixcharge/verify/world"

export default providePostgres
