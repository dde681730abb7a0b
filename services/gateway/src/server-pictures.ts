import type { InstanceCard, InstancePicture } from '@rookery/contracts/federation'

/** Where the picture that comes with the software is. */
export const THUMBNAILS = { small: '/instance/thumbnail.png', large: '/instance/thumbnail-2x.png' } as const

const addressOf = (baseUrl: string, { kind, digest }: InstancePicture) => `${baseUrl}/instance/${kind}?v=${digest}`

/** The picture that staff chose, of a kind. */
const chosenOf = ({ pictures }: Pick<InstanceCard, 'pictures'>, wanted: 'thumbnail' | 'icon') =>
  pictures.find(({ kind }) => kind === wanted)

/** What the instance document says of icons (beyond-the-spec 1.1): one that staff chose. */
export const iconsOf = (baseUrl: string, card: Pick<InstanceCard, 'pictures'>) => {
  const icon = chosenOf(card, 'icon')
  return icon ? [{ src: addressOf(baseUrl, icon), size: `${icon.width}x${icon.height}`, type: icon.contentType }] : []
}

/**
 * What the instance documents say of the picture of the server. The hash is of the file that comes with the software (4 by 3 components); a test
 * computes it again. One that staff chose is sent as it is, and has none.
 */
export const thumbnailOf = (baseUrl: string, card: Pick<InstanceCard, 'pictures' | 'title'>) => {
  // Staff write no text for it: what stands for the picture is whose it is.
  const description = card.title
  const own = chosenOf(card, 'thumbnail')
  if (own) {
    const address = addressOf(baseUrl, own)
    return { url: address, description, blurhash: null, versions: { '@1x': address, '@2x': address } }
  }
  const url = `${baseUrl}${THUMBNAILS.small}`
  const versions = { '@1x': url, '@2x': `${baseUrl}${THUMBNAILS.large}` }
  return { url, description, blurhash: 'LP5O:~ojaej_o,j_ayfRW9axj]fQ', versions }
}
