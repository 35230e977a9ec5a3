import { markup } from "./markup.ts"

/** A tick: it is done. */
export const paidMark = markup`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><path d="m10 16.5 4.2 4.2L22.5 12"/></svg>`
