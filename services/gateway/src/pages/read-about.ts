import { thumbnailOf } from '../server-pictures.ts'
import { aboutPage } from './about-page.ts'
import type { Read } from './read.ts'

/** Reads the page about the server, with blocked domains if they are public. */
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
