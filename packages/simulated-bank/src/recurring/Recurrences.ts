import type { Cnpj } from "@pixcharge/core/party"
import type { BankChance } from "../ledger/BankChance.ts"
import {
  type Ending,
  type Journey,
  type LedgerLocation,
  type LedgerRec,
  type LedgerRequest,
  move,
  type RecBody,
  type RecStatus,
  type RecurringLedger,
} from "../ledger/RecurringLedger.ts"
import { dayAt } from "../ledger/apiValues.ts"

/** The institutions in ids: this bank and the payer's bank. */
export const ispbs = { receiver: "12345678", payer: "87654321" }

const isOver = ({ status }: LedgerRec): boolean => status !== "CRIADA" && status !== "APROVADA"

const isOpen = ({ status }: LedgerRequest): boolean => ["CRIADA", "ENVIADA", "RECEBIDA"].includes(status)

export class Recurrences {
  readonly #ledger: RecurringLedger
  readonly #chance: BankChance
  /** Called after each change of a status. */
  onChange: (rec: LedgerRec) => void = () => undefined

  constructor(ledger: RecurringLedger, chance: BankChance) {
    this.#ledger = ledger
    this.#chance = chance
  }

  #idTail(): string {
    return `${ispbs.receiver}${dayAt(this.#chance.now()).replaceAll("-", "")}${this.#chance.text(11)}`
  }

  /** Each call makes a new recurrence. */
  create(issuer: Cnpj, body: RecBody, links: Pick<LedgerRec, "firstTxid" | "locationId">): LedgerRec {
    const at = this.#chance.now()
    const letter = body.politicaRetentativa === "PERMITE_3R_7D" ? "R" : "N"
    const status = "CRIADA"
    const rec: LedgerRec = {
      issuer,
      idRec: `R${letter}${this.#idTail()}`,
      createdAt: at,
      body,
      status,
      changes: [{ status, at }],
      ...links,
    }
    this.#ledger.recs.set(rec.idRec, rec)
    if (links.locationId !== undefined) this.link(rec, links.locationId)
    this.onChange(rec)
    return rec
  }

  createLocation(issuer: Cnpj): LedgerLocation {
    const location: LedgerLocation = {
      issuer,
      id: this.#ledger.locations.size + 1,
      location: `pix.banco.invalid/qr/v2/rec/${this.#chance.text(32)}`,
      createdAt: this.#chance.now(),
    }
    this.#ledger.locations.set(location.id, location)
    return location
  }

  link(rec: LedgerRec, locationId: number | undefined): void {
    const [old, wanted] = [rec.locationId, locationId].map((id) => this.#ledger.locations.get(id ?? 0))
    if (old !== undefined) delete old.idRec
    if (wanted !== undefined) wanted.idRec = rec.idRec
    if (locationId === undefined) delete rec.locationId
    else rec.locationId = locationId
  }

  /** Sends the payer's bank a request, which it receives immediately. */
  request(rec: LedgerRec, body: LedgerRequest["body"], openUntil: number): LedgerRequest {
    const at = this.#chance.now()
    const idSolicRec = `SC${this.#idTail()}`
    const { issuer, idRec } = rec
    const status = "CRIADA"
    const changes: LedgerRequest["changes"] = [{ status, at }]
    const request: LedgerRequest = { issuer, idSolicRec, idRec, body, openUntil, status, changes }
    this.#ledger.requests.set(idSolicRec, request)
    return request
  }

  deliver(request: LedgerRequest): void {
    move(request, "ENVIADA", this.#chance.now())
    move(request, "RECEBIDA", this.#chance.now())
  }

  findOpenRequest({ idRec }: LedgerRec): LedgerRequest | undefined {
    return this.findRequests(idRec).find(isOpen)
  }

  findRequests(idRec: string): ReadonlyArray<LedgerRequest> {
    return [...this.#ledger.requests.values()].filter((request) => request.idRec === idRec)
  }

  /** Withdraws a request. False if the request has been decided. */
  withdraw(request: LedgerRequest): boolean {
    if (!isOpen(request)) return false
    move(request, "CANCELADA", this.#chance.now())
    return true
  }

  /** Ends requests that have expired. */
  expireRequests(now: number): void {
    for (const request of this.#ledger.requests.values()) {
      if (isOpen(request) && request.openUntil < now) move(request, "EXPIRADA", request.openUntil)
    }
  }

  approve(rec: LedgerRec, journey: Journey): void {
    const request = this.findOpenRequest(rec)
    if (request !== undefined) move(request, journey === "JORNADA_1" ? "ACEITA" : "CANCELADA", this.#chance.now())
    rec.journey = journey
    if (journey !== "JORNADA_3") delete rec.firstTxid
    this.#move(rec, "APROVADA")
  }

  end(rec: LedgerRec, status: "REJEITADA" | "EXPIRADA" | "CANCELADA", ending?: Ending): void {
    const request = this.findOpenRequest(rec)
    if (request !== undefined) move(request, status === "REJEITADA" ? "REJEITADA" : "CANCELADA", this.#chance.now())
    if (ending !== undefined) rec.ending = ending
    this.#move(rec, status)
  }

  /** Ends a recurrence whose last day is over. A bank does this at a look-up, and sends no notice. */
  look(rec: LedgerRec): void {
    const { dataFinal } = rec.body.calendario
    const now = this.#chance.now()
    if (!isOver(rec) && dataFinal !== undefined && dayAt(now) > dataFinal) move(rec, "EXPIRADA", now)
  }

  #move(rec: LedgerRec, status: RecStatus): void {
    move(rec, status, this.#chance.now())
    this.onChange(rec)
  }
}
