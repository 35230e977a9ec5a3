import { type EventStream, makeEventStreams, type StreamOrder, type StreamRefusal } from "@pixcharge/web"
import { type Place, placeKey } from "../hub/WatchedCharges.ts"

/** A payer has the page open on a phone and a computer, and a shop may show it: nobody needs more streams of one charge. */
const maxOpenOfCharge = 20
/** However many pages a company's payers open, those of others get streams. */
const maxShareOfCompany = 1 / 2

/** The streams of open pages. */
export class PageStreams {
  readonly #streams: ReturnType<typeof makeEventStreams>
  readonly #maxOpenOfCompany: number

  constructor(maxOpen: number, until: AbortSignal) {
    this.#streams = makeEventStreams({ maxOpen, until })
    this.#maxOpenOfCompany = Math.ceil(maxOpen * maxShareOfCompany)
  }

  /** Opens the stream of a page, or returns the status of its refusal. */
  open(place: Place, order: Omit<StreamOrder, "limits">): EventStream | StreamRefusal {
    const limits = [
      { name: `charge ${placeKey(place)}`, maxOpen: maxOpenOfCharge },
      { name: `company ${place.issuer}`, maxOpen: this.#maxOpenOfCompany },
    ]
    return this.#streams.open({ ...order, limits })
  }

  dispose(): void {
    this.#streams.dispose()
  }
}
