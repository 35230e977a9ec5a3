import * as DateTime from "effect/DateTime"

/** RFC 3339 in UTC, in whole seconds: not every bank reads fractions. */
export const instantText = (epochMs: number): string =>
  DateTime.formatIso(DateTime.makeUnsafe(Math.floor(epochMs / 1000) * 1000)).replace(".000Z", "Z")
