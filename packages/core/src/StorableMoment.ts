// What both a `Date` and Postgres know.
const first = Date.UTC(-4712, 0, 1)
const last = 8.64e15

/** Whether every store can keep this moment, in epoch milliseconds. */
export const isStorableMoment = (moment: number): boolean => moment >= first && moment <= last
