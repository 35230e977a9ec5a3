import { lenient, looseStruct, Text } from "./Loose.ts"
import { makeReader } from "./Reader.ts"
import { readState, readStatus, Updates } from "./recurrenceFields.ts"

/** How a request to the payer's bank stands (`solicrec`). `unknown`: a status that has no meaning here. */
export type PspRequestStatus = "open" | "accepted" | "declined" | "expired" | "cancelled" | "unknown"

const meanings = {
  CRIADA: "open",
  ENVIADA: "open",
  RECEBIDA: "open",
  ACEITA: "accepted",
  REJEITADA: "declined",
  EXPIRADA: "expired",
  CANCELADA: "cancelled",
} as const

/** Reads a request to the payer's bank: how it stands. */
export const readRequest = makeReader(
  looseStruct({ status: lenient(Text), atualizacao: Updates }),
  ({ status, atualizacao }): PspRequestStatus => readStatus(meanings, readState(status, atualizacao).word),
)
