/** A form that can't be carried out; the message says why, and what to do. */
export class FormProblem extends Error {
  readonly status: 403 | 422

  constructor(message: string, status: 403 | 422 = 422) {
    super(message)
    this.status = status
  }
}
