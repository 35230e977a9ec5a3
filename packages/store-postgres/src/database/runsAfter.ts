/**
 * Makes a step of a statement run after another one, the CTE of this name: a condition that always holds, but can't be checked before
 * that CTE has returned its last row. Without it Postgres may mix the two, and lock rows of the second table before those of the first.
 */
export const runsAfter = (cte: string): string => `(SELECT count(*) FROM ${cte}) >= 0`
