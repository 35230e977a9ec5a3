import { formatsFor } from "@pixcharge/web"

/** Amounts, days and times as operators read them. */
export const formats = formatsFor("pt-BR")
