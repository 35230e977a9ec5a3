/** A site whose fault changes nothing that anybody could notice. */
export interface Equivalent {
  /** The site's id, as `pnpm mutate` prints it. */
  readonly site: string
  readonly reason: string
}

export const equivalents: ReadonlyArray<Equivalent> = []
