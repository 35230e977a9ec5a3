// What both Postgres and a `Date` know: from 4713 BC to AD 275760.
const first = -210_863_520_000_000
const last = 8_640_000_000_000_000

/** Whether every store can keep this moment, in epoch milliseconds. */
export const isStorableMoment = (moment: number): boolean => moment >= first && moment <= last
