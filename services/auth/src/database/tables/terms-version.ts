/** A version of the terms of service, whose text federation has. */
export type TermsVersionTable = {
  /** The day from which it holds, as YYYY-MM-DD. */
  effectiveOn: string
}
