/**
 * Joins a table so that each row of the other side is looked up by an index. Takes columns of the table, each with its value. All
 * values are of one relation: with those of two, or of one and a parameter, the planner may use the index's first column alone.
 *
 * With `=`, the planner makes a hash or merge join if its statistics say that the table is small or empty: that reads the whole table,
 * and sessions keep the plan while the table grows. With an element of an array, it can only make a nested loop. Sort by the values, not
 * by the columns: the planner would read a whole index for its order.
 */
export const lookUp = (key: Readonly<Record<string, string>>): string =>
  Object.entries(key)
    .map(([column, value]) => `${column} = ANY (ARRAY[${value}])`)
    .join(" AND ")
