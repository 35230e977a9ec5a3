import type { BankAccount } from "./BankOptions.ts"

/** A return in the bank's ledger. */
export interface LedgerReturn {
  readonly id: string
  readonly rtrId: string
  readonly cents: number
  readonly nature: string
  readonly askedAt: number
  status: "EM_PROCESSAMENTO" | "DEVOLVIDO" | "NAO_REALIZADO"
  settledAt?: number
  reason?: string
}

/** A payment in the bank's ledger. */
export interface LedgerPayment {
  readonly account: BankAccount
  readonly endToEndId: string
  readonly txid?: string
  readonly pixKey: string
  readonly cents: number
  readonly paidAt: number
  /** What the payer wrote beside it (`infoPagador`). */
  readonly payerText?: string
  readonly returns: Array<LedgerReturn>
}

/** A charge in the bank's ledger; `terms` is what was asked for, in the words of the API. */
export interface LedgerCharge {
  readonly account: BankAccount
  readonly txid: string
  readonly kind: "cob" | "cobv"
  readonly createdAt: number
  readonly locationId: number
  readonly location: string
  terms: ChargeTermsBody
  revision: number
  status: "ATIVA" | "CONCLUIDA" | "REMOVIDA_PELO_USUARIO_RECEBEDOR" | "REMOVIDA_PELO_PSP"
}

/** What a charge is asked for with (`CobSolicitada`, `CobVSolicitada`). */
export interface ChargeTermsBody {
  readonly calendario: Readonly<Record<string, unknown>>
  readonly valor: Readonly<Record<string, unknown>> & { readonly original: string }
  readonly chave: string
  readonly devedor?: Readonly<Record<string, unknown>>
  readonly solicitacaoPagador?: string
  readonly infoAdicionais?: ReadonlyArray<Readonly<Record<string, unknown>>>
}

/** Everything that the bank knows. */
export interface Ledger {
  /** By CNPJ and txid; both kinds of charges share the txids, and a removed charge keeps its own. */
  readonly charges: Map<string, LedgerCharge>
  readonly payments: Map<string, LedgerPayment>
  /** Where to call, by key. */
  readonly webhooks: Map<string, { readonly url: string; readonly since: number }>
}

export const emptyLedger = (): Ledger => ({ charges: new Map(), payments: new Map(), webhooks: new Map() })

export const chargeKey = ({ cnpj }: BankAccount, txid: string): string => `${cnpj}/${txid}`

const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** Random letters and digits. */
export const randomText = (length: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(length)), (byte) => letters[byte % letters.length]).join("")

const ispb = "12345678"
const minute = (at: number): string => new Date(at).toISOString().slice(0, 16).replaceAll(/[-T:]/g, "")

/** `E` or `D`, the institution, the minute in UTC and 11 letters or digits. */
export const instantPaymentId = (letter: "E" | "D", at: number): string =>
  `${letter}${ispb}${minute(at)}${randomText(11)}`

export const decimal = (cents: number): string => `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, "0")}`

export const parseCents = (text: string): number => Number(text.replace(".", ""))

export const instant = (at: number): string => new Date(at).toISOString()

/** The money that has gone back for a payment, or is on its way. */
export const returnedCents = ({ returns }: LedgerPayment): number =>
  returns.reduce((sum, { status, cents }) => (status === "NAO_REALIZADO" ? sum : sum + cents), 0)
