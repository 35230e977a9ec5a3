/** The bank's way with a second `PUT`: then no look-up precedes the first, and a charge takes one call. */
export const putOnExisting = "refuses"
