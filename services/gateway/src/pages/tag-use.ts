import type { TagView } from '@rookery/contracts/statuses'
import { type Frame, numberIn } from './page.ts'

/** How often a tag was used in the past week. */
export const useOf = ({ history }: TagView, frame: Frame): string => {
  const sum = (count: (day: TagView['history'][number]) => number) => history.reduce((total, day) => total + count(day), 0)
  return frame.texts.tag.use({
    posts: numberIn(
      frame,
      sum(({ uses }) => uses),
    ),
    people: numberIn(
      frame,
      sum(({ accounts }) => accounts),
    ),
  })
}
