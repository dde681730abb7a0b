export { forgetMarkers } from './forget-markers.consumer.ts'
export { createMarkersRpc } from './markers.rpc.ts'
