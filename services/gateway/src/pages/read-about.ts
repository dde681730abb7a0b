import { thumbnailOf } from '../server-pictures.ts'
import { aboutPage } from './about-page.ts'
import type { Read } from './read.ts'

/** The page of the server, with the domains it limits where everyone may see them. */
export const readAbout: Read = async (_address, { call, frame, clients }) => {
  const { instance, config, render } = clients
  const showsBlocks = config.showsDomainBlocks && !config.restrictions.has('domain blocks for users')
  const [card, { content }, blocked] = await Promise.all([
    instance.read(call, {}),
    instance.readExtendedDescription(call, {}),
    showsBlocks ? instance.readDomainBlocks(call, {}) : undefined,
  ])
  const about = { card, description: content, blocks: blocked?.blocks, picture: thumbnailOf(config.baseUrl, card) }
  return aboutPage(about, { frame, urls: render.urls })
}
