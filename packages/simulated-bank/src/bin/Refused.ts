/** A command that can't be carried out, as the bank's user is told. */
export class Refused extends Error {}
