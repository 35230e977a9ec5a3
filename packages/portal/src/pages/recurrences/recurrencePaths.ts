import type { Crumb } from "../../frame/Content.ts"
import { recurrenceTexts } from "./recurrenceTexts.ts"

/** The list's path below the company. */
export const recurrencesPath = "/recorrencias"

/** A recurrence's path below the company; `step` is one of its confirmations. */
export const recurrencePath = (id: string, step: "" | "/encerrar" | "/cancelar" = ""): string =>
  `${recurrencesPath}/${id}${step}`

/** The crumb above each recurrence's page. */
export const recurrencesCrumb: Crumb = { title: recurrenceTexts.title, path: recurrencesPath }
