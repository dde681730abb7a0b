import { type Trend, TrendKind, TrendOperatorDefinition, TrendReview } from '@rookery/contracts/statuses'
import { notFound } from '@rookery/failures'
import { handler } from '@rookery/rpc'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type OperatorSocket, openOperatorSocket } from './operator-socket.ts'

describe('trends', () => {
  let socket: OperatorSocket
  let trends: Trend[]

  const operator = handler(TrendOperatorDefinition, {
    list: async (_call, { kind }) => ({ trends: trends.filter((each) => each.kind === kind) }),
    review: async (_call, { kind, name, isApproved }) => {
      const trend = trends.find((each) => each.kind === kind && each.name === name)
      if (!trend) throw notFound()
      trend.review = isApproved ? TrendReview.APPROVED : TrendReview.REJECTED
      return trend
    },
  })

  beforeEach(async () => {
    socket = await openOperatorSocket(operator)
    trends = [
      { kind: TrendKind.TAG, name: 'Heron', title: '', review: TrendReview.UNSPECIFIED },
      { kind: TrendKind.LINK, name: 'https://birds.example/', title: 'News\u001b[2J of birds', review: TrendReview.APPROVED },
      { kind: TrendKind.STATUS, name: '7', title: 'anna', review: TrendReview.UNSPECIFIED },
    ]
  })
  afterEach(() => socket.close())

  const run = (...words: string[]) => socket.run(...words)

  test('are listed, all or those of a kind, and print nothing that steers a terminal', async () => {
    const { printed } = await run('trends', 'list')
    expect(printed).toEqual([
      'tag  #Heron  not reviewed',
      expect.stringMatching(/^link {2}https:\/\/birds\.example\/ {2}News\S* of birds {2}approved$/),
      'status  7  anna  not reviewed',
    ])
    expect(printed.join('')).not.toContain('\u001b')
    expect((await run('trends', 'list', 'status')).printed).toEqual(['status  7  anna  not reviewed'])
    expect(JSON.parse((await run('trends', 'list', 'tag', '--json')).printed.join('\n'))).toEqual([
      { kind: 'tag', name: 'Heron', title: '', review: 'none' },
    ])
    trends = []
    expect((await run('trends', 'list')).printed).toEqual(['Nothing trends.'])
  })

  test('are approved and rejected by their kind and name', async () => {
    expect((await run('trends', 'approve', 'tag', 'Heron')).printed).toEqual(['#Heron may trend.'])
    expect((await run('trends', 'reject', 'status', '7')).printed).toEqual(['7 never trends.'])
    expect(JSON.parse((await run('trends', 'reject', 'link', 'https://birds.example/', '--json')).printed.join('\n'))).toMatchObject({
      review: 'rejected',
    })
    expect(trends.map(({ review }) => review)).toEqual([TrendReview.APPROVED, TrendReview.REJECTED, TrendReview.REJECTED])
    expect(await run('trends', 'approve', 'tag', 'egret')).toMatchObject({ code: 1, printed: [] })
    expect(await run('trends', 'approve', 'bird', 'Heron')).toMatchObject({
      code: 1,
      complained: ['bird is none of tag, link, status and publisher.'],
    })
    expect((await run('trends', 'approve', 'tag')).code).toBe(1)
  })
})
