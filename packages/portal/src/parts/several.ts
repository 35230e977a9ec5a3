import { formats } from "./formats.ts"

/** A count with its noun: `1 envio`, `2 envios`. */
export const several = (number: number, one: string, more: string): string =>
  `${formats.count(number)} ${number === 1 ? one : more}`
