/**
 * Hides a parameter's value from the planner. Postgres plans a statement again at each call while a plan for the values of the call
 * seems cheaper than one for any values; for a statement that mostly finds nothing, planning takes longer than all the rest.
 */
export const hideFromPlanner = (parameter: string): string => `(SELECT ${parameter})`
