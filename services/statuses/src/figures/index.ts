export { createFiguresRpc } from './figures.rpc.ts'
