/** What was done, as charts: tools, hooks, errors, compactions, files, days and hours. */
import {
  formatCalendarDay,
  formatCount,
  formatDuration,
  formatHour,
  formatTokens,
  pluralize,
} from '../formats'
import type {
  ActivityReport,
  CompactionReport,
  ErrorReport,
  FileReport,
  HookReport,
  ToolReport,
} from '../wire'
import type { Chart } from './chart'
import { behindAddress, plainRow } from './usage-charts'
import { usageCommand, type UsageChoice } from './usage-query'

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

/** Tools: calls, how they ended, how long they took. */
export function toolChart(report: ToolReport, choice: UsageChoice): Chart {
  const { totals, rows } = report
  const [first] = rows
  return {
    title: 'Tools',
    sentence: first
      ? `${pluralize(totals.calls, 'call')} of ${pluralize(rows.length, 'tool')} in ${pluralize(totals.sessions, 'session')}, ${formatCount(totals.failed)} failed, ${formatCount(totals.refused)} refused; most of ${first.tool}, ${formatCount(first.calls)}.`
      : 'No tool was called in these days.',
    command: usageCommand('stats tools', choice),
    note: 'Durations run from call to result; where the client measured none, your time to allow it is in them.',
    columns: [
      { label: 'Tool', unit: 'text' },
      { label: 'Calls', unit: 'count' },
      { label: 'Failed', unit: 'count' },
      { label: 'Refused', unit: 'count' },
      { label: 'No result', unit: 'count' },
      { label: 'p50', unit: 'milliseconds' },
      { label: 'p95', unit: 'milliseconds' },
      { label: 'Output', unit: 'bytes' },
      { label: 'Sessions', unit: 'count' },
      { label: 'Last', unit: 'time' },
    ],
    rows: rows.map((row) => ({
      ...plainRow(row.tool, row.tool, row.calls),
      number: formatCount(row.calls),
      more: [tellWrong(row.failed, 'failed'), tellWrong(row.refused, 'refused'), tellTimes(row)]
        .filter(Boolean)
        .join(', '),
      isWrong: row.failed > 0,
      cells: [
        row.tool,
        row.calls,
        row.failed,
        row.refused,
        row.unfinished,
        row.p50_ms,
        row.p95_ms,
        row.output_bytes,
        row.sessions,
        row.last,
      ],
      href: behindAddress(choice, 'tools', row.tool),
    })),
  }
}

/** Hooks by event and command: runs, how they ended, and how long people waited for them. */
export function hookChart(report: HookReport, choice: UsageChoice): Chart {
  const { totals, rows } = report
  return {
    title: 'Hooks',
    sentence: rows.length
      ? `${pluralize(totals.runs, 'run')} of ${pluralize(rows.length, 'hook')}: ${formatCount(totals.failed)} failed, ${formatCount(totals.blocked)} blocked something; they were waited for ${formatMinutes(totals.waited_ms)}.`
      : 'No hook ran in these days.',
    command: usageCommand('stats hooks', choice),
    note: 'Durations are those that the client kept; of other runs none is known.',
    columns: [
      { label: 'Event', unit: 'text' },
      { label: 'Command', unit: 'text' },
      { label: 'Runs', unit: 'count' },
      { label: 'Failed', unit: 'count' },
      { label: 'Blocked', unit: 'count' },
      { label: 'End not known', unit: 'count' },
      { label: 'p50', unit: 'milliseconds' },
      { label: 'p95', unit: 'milliseconds' },
      { label: 'Waited', unit: 'milliseconds' },
      { label: 'Sessions', unit: 'count' },
      { label: 'Last', unit: 'time' },
    ],
    rows: rows.map((row) => ({
      ...plainRow(`${row.event} ${row.command}`, `${row.event} ${row.command}`, row.runs),
      number: formatCount(row.runs),
      more: [
        tellWrong(row.failed, 'failed'),
        tellWrong(row.blocked, 'blocked'),
        tellTimes(row),
        row.waited_ms > 0 ? `waited ${formatMinutes(row.waited_ms)}` : '',
      ]
        .filter(Boolean)
        .join(', '),
      isWrong: row.failed > 0,
      cells: [
        row.event,
        row.command,
        row.runs,
        row.failed,
        row.blocked,
        row.unknown,
        row.p50_ms,
        row.p95_ms,
        row.waited_ms,
        row.sessions,
        row.last,
      ],
      href: behindAddress(choice, 'hooks', `${row.event} ${row.command}`),
    })),
  }
}

function formatMinutes(milliseconds: number): string {
  return formatDuration(milliseconds / 1_000)
}

function tellWrong(number: number, word: string): string {
  return number ? `${formatCount(number)} ${word}` : ''
}

function tellTimes({ p50_ms, p95_ms }: { p50_ms: number | null; p95_ms: number | null }): string {
  return p50_ms === null ? '' : `p50 ${formatMinutes(p50_ms)}, p95 ${formatMinutes(p95_ms ?? p50_ms)}`
}

/** Errors, retries and interruptions by reason. */
export function errorChart(report: ErrorReport, choice: UsageChoice): Chart {
  const { totals, rows } = report
  return {
    title: 'Errors and retries',
    sentence: rows.length
      ? `${pluralize(totals.errors, 'error')}, ${pluralize(totals.retries, 'retry', 'retries')}, ${pluralize(totals.interruptions, 'interruption')}.`
      : 'Nothing went wrong in these days.',
    command: usageCommand('stats errors', choice),
    columns: [
      { label: 'Kind', unit: 'text' },
      { label: 'Reason', unit: 'text' },
      { label: 'Times', unit: 'count' },
      { label: 'Sessions', unit: 'count' },
      { label: 'First', unit: 'time' },
      { label: 'Last', unit: 'time' },
      { label: 'Days', unit: 'text' },
      { label: 'Newest', unit: 'text' },
    ],
    rows: rows.map((row) => ({
      ...plainRow(`${row.kind} ${row.reason}`, `${row.kind}: ${row.reason.replaceAll('_', ' ')}`, row.count),
      number: formatCount(row.count),
      more: `in ${pluralize(row.sessions, 'session')}, ${tellDays(row.days)}`,
      isWrong: row.kind === 'error',
      cells: [
        row.kind,
        row.reason,
        row.count,
        row.sessions,
        row.first,
        row.last,
        row.days.map((one) => `${one.day}: ${one.count}`).join('; '),
        row.example,
      ],
      href: behindAddress(choice, 'errors', `${row.kind} ${row.reason}`),
    })),
  }
}

function tellDays(days: readonly { readonly day: string }[]): string {
  const last = days.at(-1)
  return days.length === 1 && last
    ? `on ${formatCalendarDay(last.day)}`
    : `on ${pluralize(days.length, 'day')}`
}

const TRIGGERS: Readonly<Record<string, string>> = { auto: 'automatic', manual: 'by you' }

/** Compactions by what led to them. */
export function compactionChart(report: CompactionReport, choice: UsageChoice): Chart {
  const { totals, rows } = report
  return {
    title: 'Compactions',
    sentence: rows.length
      ? `${pluralize(totals.count, 'compaction')} in ${pluralize(totals.sessions, 'session')}, at most ${formatCount(totals.most_in_a_session)} in one.`
      : 'Nothing was compacted in these days.',
    command: usageCommand('stats compactions', choice),
    note: 'Tokens are medians of what clients kept.',
    columns: [
      { label: 'Led to by', unit: 'text' },
      { label: 'Times', unit: 'count' },
      { label: 'Tokens before', unit: 'tokens' },
      { label: 'Tokens after', unit: 'tokens' },
      { label: 'Most before', unit: 'tokens' },
      { label: 'Sessions', unit: 'count' },
      { label: 'Last', unit: 'time' },
    ],
    rows: rows.map((row) => ({
      ...plainRow(row.trigger, TRIGGERS[row.trigger] ?? row.trigger, row.count),
      number: formatCount(row.count),
      more: row.tokens_before === null ? '' : `at ${formatTokens(row.tokens_before)} tokens`,
      cells: [
        TRIGGERS[row.trigger] ?? row.trigger,
        row.count,
        row.tokens_before,
        row.tokens_after,
        row.largest_before,
        row.sessions,
        row.last,
      ],
      href: behindAddress(choice, 'compactions', row.trigger),
    })),
  }
}

/** Files that calls read or changed, over all sessions. */
export function fileChart(report: FileReport, choice: UsageChoice): Chart {
  const { totals, rows } = report
  return {
    title: 'Files',
    sentence: rows.length
      ? `${pluralize(totals.files, 'file')}, ${formatCount(totals.changed)} of them changed: ${pluralize(totals.edits, 'edit')}, ${pluralize(totals.writes, 'write')}, ${pluralize(totals.reads, 'read')}.`
      : 'No file was touched in these days.',
    command: usageCommand('stats files', choice),
    columns: [
      { label: 'File', unit: 'text' },
      { label: 'Edits', unit: 'count' },
      { label: 'Writes', unit: 'count' },
      { label: 'Reads', unit: 'count' },
      { label: 'Failed', unit: 'count' },
      { label: 'Sessions', unit: 'count' },
      { label: 'Last', unit: 'time' },
    ],
    // In the order of what was changed, which is what the bars show.
    rows: rows.map((row) => ({
      ...plainRow(row.path, row.path, row.edits + row.writes),
      number: pluralize(row.edits + row.writes, 'change'),
      more: [
        row.reads ? pluralize(row.reads, 'read') : '',
        tellWrong(row.failed, 'failed'),
        `in ${pluralize(row.sessions, 'session')}`,
      ]
        .filter(Boolean)
        .join(', '),
      cells: [row.path, row.edits, row.writes, row.reads, row.failed, row.sessions, row.last],
      href: behindAddress(choice, 'files', row.path),
    })),
    total: totals.files,
  }
}

/** Activity by day: prompts and answers. */
export function dayChart(report: ActivityReport, choice: UsageChoice): Chart {
  const busiest = report.days.reduce<ActivityReport['days'][number] | null>(
    (best, day) => (best && best.prompts + best.answers >= day.prompts + day.answers ? best : day),
    null,
  )
  const { totals } = report
  return {
    title: 'Activity by day',
    sentence: busiest
      ? `${pluralize(totals.prompts, 'prompt')} and ${pluralize(totals.answers, 'answer')} on ${pluralize(totals.active_days, 'day')}, most on ${formatCalendarDay(busiest.day)}: ${formatCount(busiest.prompts)} and ${formatCount(busiest.answers)}.`
      : 'Nothing happened in these days.',
    command: usageCommand('stats activity', choice),
    columns: [
      { label: 'Day', unit: 'text' },
      { label: 'Prompts', unit: 'count' },
      { label: 'Answers', unit: 'count' },
      { label: 'Sessions', unit: 'count' },
    ],
    rows: report.days
      .filter((day) => day.prompts + day.answers > 0)
      .map((day) => ({
        ...plainRow(day.day, formatCalendarDay(day.day), day.prompts + day.answers),
        number: `${pluralize(day.prompts, 'prompt')}, ${pluralize(day.answers, 'answer')}`,
        cells: [day.day, day.prompts, day.answers, day.sessions],
        href: behindAddress(choice, 'activity', day.day),
      })),
  }
}

/** Activity by weekday and hour. */
export function hourChart(report: ActivityReport, choice: UsageChoice): Chart {
  const busiest = report.hours.reduce<ActivityReport['hours'][number] | null>(
    (best, one) => (best && best.prompts + best.answers >= one.prompts + one.answers ? best : one),
    null,
  )
  return {
    title: 'Activity by hour of the week',
    sentence: busiest
      ? `Most happened on ${formatWeekHour(`${busiest.weekday}-${busiest.hour}`)}: ${pluralize(busiest.prompts, 'prompt')} and ${pluralize(busiest.answers, 'answer')}.`
      : 'Nothing happened in these days.',
    command: usageCommand('stats activity', choice),
    columns: [
      { label: 'Weekday', unit: 'text' },
      { label: 'Hour', unit: 'count' },
      { label: 'Prompts', unit: 'count' },
      { label: 'Answers', unit: 'count' },
    ],
    rows: report.hours.map((one) => {
      const key = `${one.weekday}-${one.hour}`
      return {
        ...plainRow(key, formatWeekHour(key), one.prompts + one.answers),
        number: `${pluralize(one.prompts, 'prompt')}, ${pluralize(one.answers, 'answer')}`,
        cells: [WEEKDAYS[one.weekday - 1] ?? '', one.hour, one.prompts, one.answers],
        href: behindAddress(choice, 'activity', key),
      }
    }),
  }
}

/** Write an hour of the week: Monday 14:00. */
export function formatWeekHour(key: string): string {
  const [weekday = 1, hour = 0] = key.split('-').map(Number)
  return `${WEEKDAYS[weekday - 1] ?? ''} ${formatHour(hour)}`
}
