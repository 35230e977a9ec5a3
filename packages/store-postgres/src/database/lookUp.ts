/**
 * Joins a table so that each row of the other side is looked up by an index: columns of the table, and the values that they
 * have there.
 *
 * Of `=` the planner makes a hash or a merge join where it takes the table for small, as it does of one that was small, or
 * empty, when its statistics were made: it reads the table whole, and sessions keep the plan while the table grows. Of an
 * element of an array it can only make a nested loop. Sort by the values, and not by the columns: for its order alone, an index
 * would be read whole.
 */
export const lookUp = (key: Readonly<Record<string, string>>): string =>
  Object.entries(key)
    .map(([column, value]) => `${column} = ANY (ARRAY[${value}])`)
    .join(" AND ")
