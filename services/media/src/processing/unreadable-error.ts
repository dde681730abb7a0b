/** The upload is of a type we take, and cannot be read. */
export class UnreadableError extends Error {
  constructor(cause: unknown) {
    super('The picture cannot be read', { cause })
    this.name = 'UnreadableError'
  }
}
