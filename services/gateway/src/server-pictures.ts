import type { InstanceCard, InstancePicture } from '@rookery/contracts/federation'

/** The paths of the default picture. */
export const THUMBNAILS = { small: '/instance/thumbnail.png', large: '/instance/thumbnail-2x.png' } as const

const addressOf = (baseUrl: string, { kind, digest }: InstancePicture) => `${baseUrl}/instance/${kind}?v=${digest}`

/** The picture of a kind that staff uploaded. */
const chosenOf = ({ pictures }: Pick<InstanceCard, 'pictures'>, wanted: 'thumbnail' | 'icon') =>
  pictures.find(({ kind }) => kind === wanted)

/** The icons of the instance document (beyond-the-spec 1.1): one that staff uploaded. */
export const iconsOf = (baseUrl: string, card: Pick<InstanceCard, 'pictures'>) => {
  const icon = chosenOf(card, 'icon')
  return icon ? [{ src: addressOf(baseUrl, icon), size: `${icon.width}x${icon.height}`, type: icon.contentType }] : []
}

/**
 * The thumbnail of the instance documents. The hash is of the default file (4 by 3 components); a test computes it again. One that staff
 * uploaded is sent unchanged, and has none.
 */
export const thumbnailOf = (baseUrl: string, card: Pick<InstanceCard, 'pictures' | 'title'>) => {
  // Staff write no description for it, so it is described by the server's title.
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
