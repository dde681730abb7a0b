/** The error of an upload of an accepted type that cannot be read. */
export class UnreadableError extends Error {
  constructor(cause: unknown) {
    super('The picture cannot be read', { cause })
    this.name = 'UnreadableError'
  }
}
