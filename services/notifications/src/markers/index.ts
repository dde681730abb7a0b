export { readMarkerRows } from './marker.store.ts'
