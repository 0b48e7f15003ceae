/**
 * Numbers, money and times as people read them: the forms of `bough.model.text.formats`.
 *
 * `words.cases.json` holds what both must answer; a test here and one in Python read it. The
 * browser's language sets how digits are grouped.
 */
export const MISSING = '-'

const MINUTE = 60
const HOUR = 3_600
const DAY = 86_400
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

let group = ','
/** The zone in which times are told, as parts of them; null is the browser's own. */
let zoned: Intl.DateTimeFormat | null = null
let zoneName: string | undefined
let hasTwelveHours = false

/** Take over the zone and the clock that were chosen; a zone the browser does not know is left out. */
export function setTimes(zone: string | null, twelveHours: boolean): void {
  hasTwelveHours = twelveHours
  zoned = zone === null ? null : partsIn(zone)
  zoneName = zoned === null ? undefined : (zone ?? undefined)
}

/** Give what tells the parts of a moment in a zone; null for the browser's own. */
function partsIn(zone: string): Intl.DateTimeFormat | null {
  if (zone.toLowerCase() === 'local') {
    return null
  }
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  } catch {
    // The server knows more zones than an old browser does.
    return null
  }
}

/** Give a moment as a date whose UTC fields are the time in the chosen zone. */
function toLocal(time: Date, parted = zoned): Date {
  if (parted === null) {
    return new Date(time.getTime() - time.getTimezoneOffset() * MINUTE * 1_000)
  }
  const parts = Object.fromEntries(parted.formatToParts(time).map(({ type, value }) => [type, Number(value)]))
  const field = (name: string): number => parts[name] ?? 0
  return new Date(
    Date.UTC(
      field('year'),
      field('month') - 1,
      field('day'),
      field('hour'),
      field('minute'),
      field('second'),
    ),
  )
}

/** Name the day of a moment in the chosen zone: two moments of one day have one name. */
export function dayOf(time: Date): string {
  return Number.isNaN(time.getTime()) ? '' : toLocal(time).toISOString().slice(0, 10)
}

/** Take over how the reader's language groups digits. Hours are told as the server tells them. */
export function setLanguage(language: string | undefined): void {
  const parts = new Intl.NumberFormat(language).formatToParts(12_345_678)
  group = parts.find((part) => part.type === 'group')?.value ?? ','
}

export function formatCount(number: number): string {
  return number < 10_000 ? groupDigits(String(number)) : formatShort(number, 1_000_000)
}

export function formatTokens(number: number): string {
  return number < 1_000 ? String(number) : formatShort(number, 9_950)
}

export function formatSteps(number: number): string {
  return pluralize(number, 'step')
}

export function pluralize(number: number, word: string, many = `${word}s`): string {
  return `${formatCount(number)} ${number === 1 ? word : many}`
}

export function formatCost(usd: number | null, { partlyUnknown = false, inTable = false } = {}): string {
  if (usd === null || (partlyUnknown && usd <= 0)) {
    return 'no price'
  }
  if (usd <= 0) {
    return inTable ? MISSING : '$0.00'
  }
  const whole = Number(toFixedHalfEven(usd, 2)) >= 1_000
  const text =
    usd < 0.01 ? '<$0.01' : `$${whole ? groupDigits(toFixedHalfEven(usd, 0)) : toFixedHalfEven(usd, 2)}`
  return partlyUnknown ? `${text} +?` : text
}

/** Say beside what was spent here what is only copied from another session. */
export function formatCopied(usd: number | null): string {
  return usd !== null && usd > 0 ? `, and ${formatCost(usd)} copied` : ''
}

export function formatShare(part: number): string {
  if (part > 0 && part < 0.01) {
    return '<1%'
  }
  return part > 0.99 && part < 1 ? '>99%' : `${toFixedHalfEven(part * 100, 0)}%`
}

export function formatSize(bytes: number): string {
  if (bytes < 1_000) {
    return `${bytes} B`
  }
  let value = bytes
  for (const unit of ['kB', 'MB', 'GB']) {
    value /= 1_000
    if (value < 999.5) {
      return `${toFixedHalfEven(value, value < 9.95 ? 1 : 0)} ${unit}`
    }
  }
  return `${toFixedHalfEven(value / 1_000, 1)} TB`
}

export function formatChanges(added: number, removed: number): string {
  return `+${formatCount(added)} \u2212${formatCount(removed)}`
}

export function formatDuration(seconds: number | null): string {
  if (seconds === null || seconds < 0) {
    return MISSING
  }
  if (seconds < 9.95) {
    return seconds < 0.0995 ? `${toFixedHalfEven(seconds * 1_000, 0)} ms` : `${toFixedHalfEven(seconds, 1)} s`
  }
  const whole = roundHalfEven(seconds)
  if (whole < MINUTE) {
    return `${whole} s`
  }
  if (whole < HOUR) {
    return formatTwoUnits(Math.floor(whole / MINUTE), 'min', whole % MINUTE, 's')
  }
  const minutes = roundHalfEven(seconds / MINUTE)
  if (minutes < DAY / MINUTE) {
    return formatTwoUnits(Math.floor(minutes / 60), 'h', minutes % 60, 'min')
  }
  const hours = roundHalfEven(seconds / HOUR)
  return formatTwoUnits(Math.floor(hours / 24), 'd', hours % 24, 'h')
}

/** Write how long something has lasted, for what ticks. */
export function formatAge(seconds: number): string {
  if (seconds < MINUTE) {
    return 'now'
  }
  if (seconds < HOUR) {
    return `${Math.floor(seconds / MINUTE)} min`
  }
  return seconds < DAY ? `${Math.floor(seconds / HOUR)} h` : `${Math.floor(seconds / DAY)} d`
}

/** Write a running clock; from a day on in days. */
export function formatElapsed(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  if (whole >= DAY) {
    return formatDuration(whole)
  }
  const minutes = Math.floor(whole / MINUTE)
  const rest = String(whole % MINUTE).padStart(2, '0')
  return minutes < 60
    ? `${minutes}:${rest}`
    : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${rest}`
}

export type Moment = string | Date | null

/** Write a moment by its distance: 14:38, Tue 16:20, 9 Nov, 2025-11-09. */
export function formatMoment(at: Moment, now: Date = new Date()): string {
  const time = at === null ? null : new Date(at)
  if (time === null || Number.isNaN(time.getTime())) {
    return MISSING
  }
  const days = Math.round((midnight(now) - midnight(time)) / (DAY * 1_000))
  if (days === 0) {
    return formatClock(time)
  }
  if (days > 0 && days <= 6) {
    return `${WEEKDAYS[toLocal(time).getUTCDay()]} ${formatClock(time)}`
  }
  return formatDay(time, now)
}

/** Write the times of a list in order: the first of a day by its date, those after it by the hour. */
export function formatTimesByDay(times: readonly (string | null)[], now: Date = new Date()): string[] {
  let before = ''
  return times.map((time) => {
    const day = time === null ? before : dayOf(new Date(time))
    const words = time !== null && day === before ? formatClock(new Date(time)) : formatMoment(time, now)
    before = day
    return words
  })
}

/** Write a moment for a list in which the newest says "now" for its first minute. */
export function formatRecentMoment(at: Moment, now: Date = new Date()): string {
  const time = at === null ? NaN : new Date(at).getTime()
  return Math.abs(now.getTime() - time) < MINUTE * 1_000 ? 'now' : formatMoment(at, now)
}

/** Write a day without its hour: 9 Nov, 2025-11-09. */
export function formatDate(at: Date, now: Date = new Date()): string {
  return formatDay(at, now)
}

/** Write a day of the calendar, which is the same in every zone: 9 Nov for 2026-11-09, 2025-11-09. */
export function formatCalendarDay(day: string, now: Date = new Date()): string {
  const [year, month, date] = day.split('-')
  const name = MONTHS[Number(month) - 1]
  return name !== undefined && date !== undefined && year === dayOf(now).slice(0, 4)
    ? `${Number(date)} ${name}`
    : day
}

/** Write a stretch of hours, in a zone or in the chosen one: 9 Nov 13:00–18:00. */
export function formatHours(from: Date, to: Date, zone = '', now: Date = new Date()): string {
  if (Number.isNaN(from.getTime()) || Number.isNaN(to.getTime())) {
    return MISSING
  }
  const parted = zone === '' ? zoned : partsIn(zone)
  return `${formatDay(from, now, parted)} ${formatClock(from, '', parted)}–${formatClock(to, '', parted)}`
}

/** Write an hour of the day: 14:00, 2 PM. */
export function formatHour(hour: number): string {
  return hasTwelveHours ? `${hour % 12 || 12} ${hour < 12 ? 'AM' : 'PM'}` : `${pad(hour)}:00`
}

/** Write a moment in full, with its zone, for tooltips. */
export function formatFullMoment(at: Moment): string {
  const time = at === null ? null : new Date(at)
  if (time === null || Number.isNaN(time.getTime())) {
    return ''
  }
  return new Intl.DateTimeFormat(undefined, {
    dateStyle: 'full',
    timeStyle: 'long',
    ...(zoneName === undefined ? {} : { timeZone: zoneName }),
    hourCycle: hasTwelveHours ? 'h12' : 'h23',
  }).format(time)
}

/** Write a moment of the stream, to the second. */
export function formatTimeOfDay(at: Moment): string {
  const time = at === null ? null : new Date(at)
  if (time === null || Number.isNaN(time.getTime())) {
    return MISSING
  }
  return formatClock(time, `:${pad(time.getSeconds())}`)
}

/** Shorten a model's name to what people call it: claude-opus-4-6-20260203 is Opus 4.6. */
export function formatModel(name: string | null): string {
  const found = /^claude-([a-z]+)-(\d+)(?:-(\d{1,2}))?(?:-\d{8})?$/.exec(name ?? '')
  const old = /^claude-(\d+)(?:-(\d{1,2}))?-([a-z]+)(?:-(?:\d{8}|latest))?$/.exec(name ?? '')
  const [kind, major, minor] = found ? [found[1], found[2], found[3]] : [old?.[3], old?.[1], old?.[2]]
  if (!kind || !major) {
    return name ?? ''
  }
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1)} ${major}${minor ? `.${minor}` : ''}`
}

function formatShort(number: number, decimalsBelow: number): string {
  if (number < Math.min(decimalsBelow, 999_950)) {
    return `${toFixedHalfEven(number / 1_000, 1)}k`
  }
  if (number < 999_500) {
    return `${toFixedHalfEven(number / 1_000, 0)}k`
  }
  const [value, unit] = number < 999_500_000 ? [number / 1e6, 'M'] : [number / 1e9, 'B']
  if (value < 9.995) {
    return `${toFixedHalfEven(value, 2)}${unit}`
  }
  return value < 99.95
    ? `${toFixedHalfEven(value, 1)}${unit}`
    : `${groupDigits(toFixedHalfEven(value, 0))}${unit}`
}

function formatTwoUnits(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return `${large} ${largeUnit}${small ? ` ${small} ${smallUnit}` : ''}`
}

function groupDigits(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+(?!\d))/g, group)
}

/** Write the time of day of a moment whose day is known. */
export function formatClock(time: Date, rest = '', parted = zoned): string {
  const local = toLocal(time, parted)
  const hours = local.getUTCHours()
  const minutes = `${pad(local.getUTCMinutes())}${rest}`
  return hasTwelveHours
    ? `${hours % 12 || 12}:${minutes} ${hours < 12 ? 'AM' : 'PM'}`
    : `${pad(hours)}:${minutes}`
}

function formatDay(time: Date, now: Date, parted = zoned): string {
  return formatCalendarDay(toLocal(time, parted).toISOString().slice(0, 10), now)
}

function midnight(time: Date): number {
  return Date.parse(`${toLocal(time).toISOString().slice(0, 10)}T00:00:00Z`)
}

function pad(number: number): string {
  return String(number).padStart(2, '0')
}

/** Round a tie to the even neighbour, as Python does: both faces must write the same digit. */
function toFixedHalfEven(value: number, decimals: number): string {
  const exact = value.toFixed(Math.min(100, decimals + 40))
  const cut = exact.length - 40
  const kept = exact.slice(0, decimals ? cut : cut - 1)
  const rest = exact.slice(cut)
  const tie = /^50*$/.test(rest) && 'even02468'.includes(kept.slice(-1))
  return tie ? kept : value.toFixed(decimals)
}

function roundHalfEven(value: number): number {
  return Number(toFixedHalfEven(value, 0))
}
