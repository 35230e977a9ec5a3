/**
 * Nothing but a recurrence's check is planned further ahead than this, in milliseconds (25 hours): a store takes a later moment for one that a
 * clock which ran ahead has written, and counts it as due.
 */
export const farthestAheadMs = 25 * 3_600_000

/** No check of a recurrence is planned further ahead than this, in milliseconds (8 days): a week, and a day for clocks that differ. */
export const farthestRecurrenceCheckMs = 8 * 86_400_000

/** The clocks of two hosts differ by less than this, in milliseconds: what differs by more was written by a wrong clock. */
export const clockToleranceMs = 60_000
