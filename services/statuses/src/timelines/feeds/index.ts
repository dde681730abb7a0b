export { feedFigures } from './feed.figures.ts'
