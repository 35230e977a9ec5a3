const resources = ["locrec", "rec", "solicrec", "cobr", "webhookrec", "webhookcobr"]

/** All calls of Pix Automático at another root. */
export const recurringRoots = (root: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    resources.flatMap((resource) =>
      ["POST", "PUT", "GET", "PATCH", "DELETE"].map((method) => [`${method} ${resource}`, root]),
    ),
  )
