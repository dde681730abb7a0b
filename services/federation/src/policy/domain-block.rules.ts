import { createHash } from 'node:crypto'
import type { DomainBlock } from '@rookery/contracts/federation'
import type { PublicBlock } from './domain-block.store.ts'

/** The domain with its middle half hidden behind stars; dots stay (beyond-the-spec 1.15). */
export const obfuscated = (domain: string): string => {
  const characters = [...domain]
  const shown = Math.floor(characters.length / 4)
  const isShown = (index: number) => index <= shown || index >= characters.length - shown
  return characters.map((character, index) => (character === '.' || isShown(index) ? character : '*')).join('')
}

/** A block as the public sees it: the digest is always that of the real domain (spec, DomainBlock). */
export const publicView = ({ domain, severity, publicComment, obfuscate }: PublicBlock): DomainBlock => ({
  domain: obfuscate ? obfuscated(domain) : domain,
  digest: createHash('sha256').update(domain).digest('hex'),
  severity,
  comment: publicComment ?? '',
})
