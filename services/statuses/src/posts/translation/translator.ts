/** Translated texts, in the order given. */
export type Translated = { texts: string[]; detectedSource: string | undefined }

/** Source and target language; without a source the provider detects it. Codes are lower-case. */
type Direction = { source: string | undefined; target: string }

/** A translation provider. Calls throw Failure unavailable while it fails. */
export type Translator = {
  /** The name shown to people. */
  readonly provider: string
  /** The targets of each source language. */
  languages(): Promise<Map<string, string[]>>
  translate(html: readonly string[], direction: Direction): Promise<Translated>
}

/** Address and key of a provider; the key is undefined if none is needed. */
export type TranslatorAccess = { address: string; key: string | undefined }
