/** The body of an answer is of no use; the message says why, and quotes nothing of it. */
export class UnreadableBody extends Error {}
