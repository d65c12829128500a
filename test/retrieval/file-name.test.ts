import { describe, expect, it } from 'vitest'
import { fileStem } from '../../src/retrieval/index.ts'

describe('fileStem', () => {
  it.each([
    [
      ['co2_moer', 'CAISO_NORTH', new Date('2024-01-01'), new Date('2026-01-01')],
      'co2_moer_CAISO_NORTH_2024-01-01_2026-01-01',
    ],
    [['a', new Date('2024-01-01T02:30:00Z')], 'a_2024-01-01T023000Z'],
    [['Flow, cubic feet/second', 7], 'Flow_cubic_feet_second_7'],
    [['', '...', 'x'], 'x'],
    [['Fluß'], 'Fluß'],
  ])('F59: %j becomes %j', (parts, stem) => {
    expect(fileStem(...parts)).toBe(stem)
  })

  it('F59: keeps out every character that some platform refuses', () => {
    expect(fileStem('a:b*c?d"e<f>g|h\\i/j\u0000k')).toBe('a_b_c_d_e_f_g_h_i_j_k')
  })

  it('stays short enough for every file system', () => {
    expect(fileStem('x'.repeat(500)).length).toBe(200)
  })
})
