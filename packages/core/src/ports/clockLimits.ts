/**
 * Nothing is planned further ahead than this, in milliseconds (25 hours): a store takes a later moment for one that a
 * clock which ran ahead has written, and counts it as due.
 */
export const farthestAheadMs = 25 * 3_600_000

/** The clocks of two hosts differ by less than this, in milliseconds: what differs by more was written by a wrong clock. */
export const clockToleranceMs = 60_000
