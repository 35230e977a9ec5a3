import type { Cnpj } from "@pixcharge/core/party"
import type { BankChance } from "../ledger/BankChance.ts"
import {
  chargeKey,
  type ChargeKind,
  type Ledger,
  type LedgerCharge,
  type LedgerChargeLocation,
} from "../ledger/Ledger.ts"

/** The addresses at which payers read charges. */
export class Locations {
  readonly #ledger: Ledger
  readonly #chance: BankChance

  constructor(ledger: Ledger, chance: BankChance) {
    this.#ledger = ledger
    this.#chance = chance
  }

  create(issuer: Cnpj, kind: ChargeKind, createdAt = this.#chance.now()): LedgerChargeLocation {
    const made: LedgerChargeLocation = {
      issuer,
      id: this.#ledger.locations.size + 1,
      url: `pix.banco.invalid/qr/v2/${kind === "cobv" ? "cobv/" : ""}${this.#chance.text(32)}`,
      kind,
      createdAt,
    }
    this.#ledger.locations.set(made.id, made)
    return made
  }

  find(issuer: string, id: unknown): LedgerChargeLocation | undefined {
    const known = this.#ledger.locations.get(Number(id))
    return known?.issuer === issuer ? known : undefined
  }

  takes(issuer: string, id: unknown, kind: ChargeKind, txid: string): boolean {
    const known = this.find(issuer, id)
    return known?.kind === kind && (known.txid ?? txid) === txid
  }

  link(charge: LedgerCharge, to: LedgerChargeLocation): void {
    this.#leave(charge)
    to.txid = charge.txid
    charge.locationId = to.id
    charge.location = to.url
  }

  clear({ issuer, txid }: LedgerChargeLocation): void {
    const charge = txid === undefined ? undefined : this.#ledger.charges.get(chargeKey(issuer, txid))
    if (charge !== undefined) this.#leave(charge)
  }

  #leave(charge: LedgerCharge): void {
    const oldLocation = this.#ledger.locations.get(charge.locationId ?? 0)
    if (oldLocation !== undefined) delete oldLocation.txid
    delete charge.locationId
  }
}
