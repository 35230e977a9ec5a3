import * as Result from "effect/Result"
import { isStorableMoment } from "../storable/StorableMoment.ts"
import { type ChargeId, parseChargeId } from "./ChargeId.ts"

/** Where a charge stands in a list: by its creation (epoch milliseconds) and, among equals, by its id. */
export interface ChargePosition {
  readonly createdAt: number
  readonly id: ChargeId
}

const cursorForm = /^(-?\d+(?:\.\d+)?)_(.+)$/

/** The cursor of the page after this charge, whatever the store; its form is nobody's API. */
export const formatChargeCursor = ({ createdAt, id }: ChargePosition): string => `${createdAt}_${id}`

/** Where the page before ended; undefined for a text that is no cursor. */
export const parseChargeCursor = (cursor: string): ChargePosition | undefined => {
  const [, moment, text = ""] = cursorForm.exec(cursor) ?? []
  const id = parseChargeId(text)
  const createdAt = Number(moment)
  return Result.isSuccess(id) && isStorableMoment(createdAt) ? { createdAt, id: id.success } : undefined
}
