export { createMarkersRpc } from './markers.rpc.ts'
