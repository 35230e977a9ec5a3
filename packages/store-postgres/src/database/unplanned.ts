/**
 * A parameter that a statement's plan can't depend on. While Postgres takes a plan for this very value for a cheaper one, it makes
 * one at each call; of a statement that mostly finds nothing, that takes longer than all the rest.
 */
export const unplanned = (parameter: string): string => `(SELECT ${parameter})`
