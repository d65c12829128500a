import fc from 'fast-check'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import type { SpanRules } from '../../src/transport/plan.ts'
import { createTransport } from '../../src/transport/transport.ts'
import { serve, TOY_POLICY, TOY_RULES, toyOperation, type ToyRequest, type ToyRow } from '../support/toy-service.ts'
import { optionsOf, QUICK } from '../support/transport.ts'

/**
 * One folder, many calls: whatever was kept by the calls before, each call returns what the service has, every row
 * once and in order, and asks for nothing that is kept and still good.
 */

/** Rows at instants of every kind: on the grid of pieces, and between. */
const EVERY = 5
const truth = (start: number, end: number): ToyRow[] => {
  const rows: ToyRow[] = []
  for (let at = Math.ceil(start / EVERY) * EVERY; at <= end; at += EVERY) rows.push({ at, value: at })
  return rows
}
const shared: SpanRules = { ...TOY_RULES, stepMs: 1, ends: 'shared' }
const trimmed: SpanRules = { ...TOY_RULES, stepMs: EVERY }

const span = fc.tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 300 })).map(([start, length]) => ({
  start,
  end: start + length,
}))
const step = fc.record({
  span,
  chunk: fc.constantFrom(30, 70, 100),
  streaming: fc.boolean(),
  mode: fc.constantFrom('use', 'use', 'use', 'refresh', 'later'),
})

describe.each([
  ['trimmed', trimmed],
  ['shared', shared],
])('R25: pieces that are %s', (_name, rules) => {
  it('a call returns what the service has, whatever was kept before', { timeout: 60_000 }, async () => {
    const slow = (request: ToyRequest): boolean => request.end - request.start > 80
    const server = await serve(request =>
      slow(request) ? { status: 504 } : { body: { rows: truth(request.start, request.end) } },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async steps => {
        const dir = mkdtempSync(join(tmpdir(), 'headrace-cache-'))
        let ahead = 0
        try {
          for (const { span: asked, chunk, streaming, mode } of steps) {
            if (mode === 'later') ahead += 120_000
            const transport = createTransport({
              service: 'toy',
              baseUrl: new URL(server.url),
              policy: TOY_POLICY,
              clock: { ...systemClock, now: () => systemClock.now() + ahead },
              random: () => 0.5,
              optionsFor: call => optionsOf({ ...QUICK, cache: dir, chunk, ...call }),
            })
            // Pieces that end early are good for a minute, the others for ever.
            const keepMs = ({ piece }: { piece: { span?: { end: number } | undefined } }): number =>
              (piece.span?.end ?? 0) < 200 ? 60_000 : 1e9
            const todo = [{ span: asked, depth: 0 }]
            const question = { operation: 'getSeries', series: 'a', todo, priority: 'bulk' as const, streaming }
            const ask = async (refresh: boolean): Promise<ToyRow[]> => {
              const facts = { ...toyOperation(server.url), rules, keepMs }
              const rows: ToyRow[] = []
              for await (const batch of transport.retrieve({ ...question, facts }, { refresh }).batches())
                rows.push(...batch.rows)
              return rows
            }
            expect(await ask(mode === 'refresh')).toEqual(truth(asked.start, asked.end))
            const before = server.requests.length
            expect(await ask(false)).toEqual(truth(asked.start, asked.end))
            expect(server.requests.length).toBe(before)
          }
        } finally {
          rmSync(dir, { recursive: true })
        }
      }),
      { numRuns: 12, seed: 7 },
    )
  })
})
