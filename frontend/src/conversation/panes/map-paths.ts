/**
 * The map at the side of a conversation, as paths: one per kind of thing, so that twenty thousand
 * pieces cost six elements and every colour comes from the style sheet.
 */
export interface MapSource {
  /** Where a piece begins, as a part of the whole. */
  part(index: number): number
  readonly count: number
  readonly marks: readonly string[]
  /** Pieces with hits of a find. */
  readonly hits: readonly number[]
  readonly width: number
  readonly height: number
}

export type MapLayer = 'plain' | 'prompt' | 'agent' | 'error' | 'compaction' | 'hit'
export const MAP_LAYERS: readonly MapLayer[] = ['plain', 'prompt', 'agent', 'error', 'compaction', 'hit']

/** How each kind is drawn: from the left edge in parts of the width, and how high in pixels. */
const SHAPES: Readonly<Record<MapLayer, { left: number; right: number; high: number; apart: number }>> = {
  plain: { left: 0.15, right: 0.75, high: 2, apart: 5 },
  prompt: { left: 0.1, right: 0.9, high: 3, apart: 4 },
  agent: { left: 0.55, right: 0.9, high: 4, apart: 5 },
  error: { left: 0.55, right: 0.9, high: 4, apart: 5 },
  compaction: { left: 0, right: 1, high: 2, apart: 3 },
  hit: { left: 0, right: 0.3, high: 3, apart: 3 },
}

const LETTERS: readonly (readonly [string, MapLayer])[] = [
  ['p', 'prompt'],
  ['a', 'agent'],
  ['e', 'error'],
  ['s', 'compaction'],
]

/** Draw the map: the path of each layer; ticks that would cover one another are drawn once. */
export function drawMap(ground: MapSource): Readonly<Record<MapLayer, string>> {
  const paths: Record<MapLayer, string> = {
    plain: '',
    prompt: '',
    agent: '',
    error: '',
    compaction: '',
    hit: '',
  }
  const last: Record<MapLayer, number> = {
    plain: -99,
    prompt: -99,
    agent: -99,
    error: -99,
    compaction: -99,
    hit: -99,
  }
  const draw = (layer: MapLayer, index: number): void => {
    const shape = SHAPES[layer]
    const y = Math.round(ground.part(index) * (ground.height - shape.high))
    if (y < last[layer] + shape.apart) {
      return
    }
    last[layer] = y
    const x = Math.round(shape.left * ground.width)
    // Plain ticks vary in length, as lines of text do.
    const short = layer === 'plain' ? ((index * 7) % 4) * 0.1 : 0
    const wide = Math.max(2, Math.round((shape.right - shape.left - short) * ground.width))
    paths[layer] += `M${x} ${y}h${wide}v${shape.high}h-${wide}z`
  }
  for (let index = 0; index < ground.count; index++) {
    const marks = ground.marks[index] ?? ''
    draw('plain', index)
    for (const [letter, layer] of LETTERS) {
      if (marks.includes(letter)) {
        draw(layer, index)
      }
    }
  }
  for (const index of ground.hits) {
    draw('hit', index)
  }
  return paths
}
