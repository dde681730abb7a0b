/** Texts in another language, in the order given. */
export type Translated = { texts: string[]; detectedSource: string | undefined }

/** What texts are to be translated from and into; without a source the provider finds out. Language codes are lower-case. */
type Direction = { source: string | undefined; target: string }

/** Someone who translates HTML. Each call throws Failure unavailable when they cannot, now. */
export type Translator = {
  /** The name people are shown. */
  readonly provider: string
  /** What each language can be translated into. */
  languages(): Promise<Map<string, string[]>>
  translate(html: readonly string[], direction: Direction): Promise<Translated>
}

/** How a translator is reached; the key is undefined where none is needed. */
export type TranslatorAccess = { address: string; key: string | undefined }
