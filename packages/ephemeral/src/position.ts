/**
 * The position of a message in the live log. Positions of one epoch rise with every message; an epoch ends when the store may have lost
 * part of the log.
 */
export type Position = {
  readonly epoch: string
  /** By the clock of the store, in milliseconds. */
  readonly time: number
  readonly sequence: number
}

/** Whether a position comes after another of the same epoch. */
export const isAfter = (one: Position, other: Position): boolean =>
  one.time > other.time || (one.time === other.time && one.sequence > other.sequence)

/** The later of two positions of one epoch. */
export const laterOf = (one: Position, other: Position): Position => (isAfter(one, other) ? one : other)

/** A position in the text form that clients store. */
export const positionText = ({ epoch, time, sequence }: Position): string => `${epoch}-${time}-${sequence}`

const TEXT = /^([0-9a-f]{8})-(\d{1,15})-(\d{1,15})$/

/** The position in its text form; undefined if the text is not one. */
export const readPosition = (text: string): Position | undefined => {
  const [, epoch, time, sequence] = TEXT.exec(text) ?? []
  return epoch === undefined ? undefined : { epoch, time: Number(time), sequence: Number(sequence) }
}
