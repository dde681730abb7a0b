/** A version of the terms of service; federation has its text. */
export type TermsVersionTable = {
  /** The day it takes effect, as YYYY-MM-DD. */
  effectiveOn: string
}
