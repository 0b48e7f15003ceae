// Written by scripts/wire_types.py from src/bough/web/wire. Do not edit.

/** What this bough reads, and how far it is with it. */
export interface About {
  version: string;
  folders: string[];
  looked_in: string[];
  projects: number;
  sessions: number;
  ready: boolean;
  index: IndexStatus;
  settings: PageSettings;
  token_needed: boolean;
  member: string | null;
  can_log_out: boolean;
  archive_consent: ArchiveConsent | null;
}

/** Activity by day, from the first to the last without a gap, and by hour of the week. */
export interface ActivityReport {
  zone: string;
  days: DayRow[];
  hours: HourRow[];
  totals: ActivityTotals;
}

/** All of it; `active_days` are the days on which anything happened. */
export interface ActivityTotals {
  prompts: number;
  answers: number;
  sessions: number;
  active_days: number;
}

/** An agent of the session; `call_uuid` is the message that started it. */
export interface AgentFact {
  id: string;
  type: string | null;
  description: string | null;
  steps: number;
  state: string;
  cost_usd: number | null;
  unpriced_models: string[];
  call_uuid: string | null;
}

/** Types of agents, those that ran most first. */
export interface AgentReport {
  rows: AgentRow[];
  totals: AgentTotals;
}

/** One type of agent. */
export interface AgentRow {
  type: string;
  runs: number;
  failed: number;
  steps: number;
  tokens: number;
  p50_ms: number | null;
  p95_ms: number | null;
  measured: number;
  sessions: number;
  last: string | null;
}

/** All agents together. */
export interface AgentTotals {
  runs: number;
  failed: number;
  steps: number;
  tokens: number;
}

/** What becomes of an annotation; what is left out stays as it is. */
export interface AnnotationBody {
  kind?: "message" | "project" | "session";
  id?: string;
  session?: string;
  starred?: boolean | null;
  note?: string | null;
  hidden?: boolean | null;
}

/** What is said of a session, a message or a project; also the event `annotation`. */
export interface AnnotationItem {
  kind: "message" | "project" | "session";
  id: string;
  starred: boolean;
  note: string;
  hidden: boolean;
  others: OtherNote[];
}

/** What is said of messages; what is said of sessions and projects stands in their rows. */
export interface AnnotationsAnswer {
  annotations: AnnotationItem[];
  sentence: string | null;
}

/** What was done: its number in the history, and the session to go on with. */
export interface AppliedAnswer {
  number: number;
  operation: "fork" | "goto" | "rename" | "repair" | "restore" | "undo";
  headline: string;
  session: string | null;
  resume: string | null;
  resume_note: string;
  notes: string[];
}

/** How the archive stands. `behind` are on disk and not kept as they are now. */
export interface ArchiveAnswer {
  archive: string;
  exists: boolean;
  is_missing: boolean;
  sentence: string;
  automatic: boolean | null;
  sessions: number;
  deleted: number;
  behind: number;
  bytes: number;
  packed: number;
  forgotten: number;
  written_at: string | null;
  retention: RetentionItem[];
  forecast: ForecastAnswer;
  expiring: ExpiringItem[];
  expiring_total: number;
  later: string;
  gone: GoneItem[];
  gone_total: number;
  verified: VerifiedItem | null;
  work: ArchiveWork;
}

/** The question, its two answers, and the sentence of the command line, which asks nothing. */
export interface ArchiveConsent {
  days: number;
  bytes: number;
  question: string;
  keep: string;
  decline: string;
  sentence: string;
}

/** How far work on the archive is; once it ended, `sentence` says what came of it. */
export interface ArchiveWork {
  kind: "" | "keep" | "verify";
  state: "cancelled" | "done" | "failed" | "none" | "running";
  done: number;
  total: number;
  sentence: string;
}

/** Where a running block will end at its speed. */
export interface BlockProjection {
  minutes_left: number;
  tokens: number;
  cost_usd: number | null;
}

/** How fast a block is used up. */
export interface BlockRate {
  tokens_per_minute: number;
  uncached_tokens_per_minute: number;
  cost_usd_per_hour: number | null;
}

/** What is inside a fold. */
export interface BodyAnswer {
  html: string;
}

/** Which fold's body. */
export interface BodyQuery {
  tip?: string;
  agent?: string;
  until?: string;
  key?: string;
}

/** A conversation of a session, to one of its tips. */
export interface BranchInfo {
  tip: string;
  title: string;
  active: boolean;
  turns: number;
  own_turns: number;
  own_cost_usd: number | null;
  copied_cost_usd: number | null;
  unpriced_models: string[];
  left_because: string | null;
  left_at: string | null;
}

/** What was spent of a budget, both in USD; `label` says it in short, `words` with the amounts. */
export interface BudgetShare {
  of: "day" | "session";
  spent_usd: number;
  budget_usd: number;
  percent: number;
  is_near: boolean;
  is_over: boolean;
  label: string;
  words: string;
}

/** A call: the line that counts, and how many others report it too. */
export interface CallItem {
  input_tokens: number;
  output_tokens: number;
  cache_creation_tokens: number;
  cache_read_tokens: number;
  cost_usd: number | null;
  unpriced_models: string[];
  model: string;
  timestamp: string | null;
  message_id: string | null;
  counted_in: string;
  counted_here: boolean;
  priced: boolean;
  file: string;
  line: number | null;
  other_lines: number;
}

/** `change`: a session's file, or that of one of its agents, is other than it was. */
export interface ChangeEvent {
  session: string;
  project: string;
  agent: string | null;
  revision: string;
}

/** What is other since a revision: everything from piece `from` on. */
export interface ChangesAnswer {
  revision: string;
  from: number;
  count: number;
  keys: string[];
  kinds: string[];
  lines: number[];
  marks: string[];
  pieces: PieceHtml[];
  outline: OutlineEntry[] | null;
  title: string;
  state: "background" | "compacting" | "deleted" | "failed" | "finished" | "interrupted" | "waiting" | "working";
  sure: boolean;
  tip: string | null;
  active: boolean;
}

/** Since which revision. */
export interface ChangesQuery {
  tip?: string;
  agent?: string;
  until?: string;
  since?: string;
}

/** Compactions by trigger, the most frequent first. */
export interface CompactionReport {
  rows: CompactionRow[];
  totals: CompactionTotals;
}

/** The compactions with one trigger: auto, manual, or unknown. */
export interface CompactionRow {
  trigger: string;
  count: number;
  tokens_before: number | null;
  tokens_after: number | null;
  largest_before: number | null;
  sessions: number;
  last: string | null;
}

/** All compactions; `most_in_a_session` is the largest number in one. */
export interface CompactionTotals {
  count: number;
  sessions: number;
  most_in_a_session: number;
}

/** Two branches side by side; `parting` is null where they have nothing in common. */
export interface CompareAnswer {
  a: ComparedSide;
  b: ComparedSide;
  shared: number;
  parting: SplitPoint | null;
  pairs: ComparedPair[];
}

/** The files that the sides wrote to, by path. */
export interface CompareFilesAnswer {
  files: ComparedFile[];
}

/** Which branches: a message of each, or `active`; B may be of another session, `other`. */
export interface CompareQuery {
  a?: string;
  b?: string;
  other?: string;
}

/** A file that a side wrote to, and how the sides left it. */
export interface ComparedFile {
  path: string;
  by: "a" | "b" | "both";
  differs: boolean | null;
  added_a: number;
  removed_a: number;
  added_b: number;
  removed_b: number;
  html: string;
  html_a: string;
  html_b: string;
}

/** The turns with the same number after the parting; null where a side has none. */
export interface ComparedPair {
  a: ComparedText | null;
  b: ComparedText | null;
}

/** What is on one side alone. */
export interface ComparedSide {
  session: string;
  title: string;
  tip: string;
  name: string;
  active: boolean;
  turns: number;
  files: number;
  calls: number;
  input_tokens: number;
  output_tokens: number;
  cache_read_tokens: number;
  cache_write_tokens: number;
  cost_usd: number | null;
  unpriced_models: string[];
  duration_seconds: number | null;
}

/** A turn of a side: what was asked, as typed, and what was answered last, as HTML with marks. */
export interface ComparedText {
  uuid: string;
  time: string | null;
  prompt: string;
  answer: string;
  steps: number;
  failed: number;
  changed: boolean;
}

/** What could stand between two places of the query. */
export interface CompleteAnswer {
  from: number;
  to: number;
  items: SearchCompletion[];
}

/** A query that is being typed, and where the cursor is in it. */
export interface CompleteQuery {
  q?: string;
  at?: number;
}

/** Something that fills the model's window. */
export interface ContextPart {
  name: string;
  tokens: number;
}

/** How full the model's window was at the last answer. */
export interface ContextUsage {
  tokens: number;
  window: number | null;
  parts: ContextPart[];
}

/** A conversation: all its pieces by name, and those around the start rendered. */
export interface ConversationAnswer {
  session: string;
  title: string;
  agent: string | null;
  tip: string | null;
  active: boolean;
  revision: string;
  partial: boolean;
  count: number;
  keys: string[];
  kinds: string[];
  lines: number[];
  marks: string[];
  outline: OutlineEntry[];
  start: number;
  page: PiecePage;
  banner: string | null;
  note: string | null;
  row: string | null;
  opens: string[];
  is_other_tip: boolean;
}

/** Which conversation, or how much of it: `until` a message is the path to it, no further. */
export interface ConversationPartSelector {
  tip?: string;
  agent?: string;
  until?: string;
}

/** Where reading begins: at a message, else at the end; `whole` waits for all of it. */
export interface ConversationQuery {
  tip?: string;
  agent?: string;
  until?: string;
  at?: string;
  whole?: boolean;
}

/** Which conversation of a session is meant: the path to `tip`, or an agent's own. */
export interface ConversationSelector {
  tip?: string;
  agent?: string;
}

/** A cost; null where nothing in it has a price, and the models of which something has none. */
export interface CostFact {
  cost_usd: number | null;
  copied_cost_usd: number | null;
  unpriced_models: string[];
}

/** One day; `sessions` are those of lists in which something was said or answered. */
export interface DayRow {
  day: string;
  prompts: number;
  answers: number;
  sessions: number;
}

/** What every route answers with where it cannot do what was asked. */
export interface ErrorAnswer {
  error: Fault;
}

/** How often it happened on a day. */
export interface ErrorDay {
  day: string;
  count: number;
}

/** Troubles: errors, then retries, then interruptions, the most frequent first. */
export interface ErrorReport {
  rows: ErrorRow[];
  totals: ErrorTotals;
}

/** One kind of trouble for one reason. */
export interface ErrorRow {
  kind: string;
  reason: string;
  count: number;
  sessions: number;
  first: string | null;
  last: string | null;
  example: string | null;
  recent_sessions: string[];
  days: ErrorDay[];
}

/** All troubles by kind. */
export interface ErrorTotals {
  errors: number;
  retries: number;
  interruptions: number;
}

/** A session that the client may delete from `deleted_from` on; `id` is that of addresses. */
export interface ExpiringItem {
  id: string;
  session: string;
  title: string;
  project_name: string;
  deleted_from: string;
  kept: boolean;
}

/** What is behind a cost: models with their prices, and the calls of a session. */
export interface ExplanationAnswer {
  session: string | null;
  title: string | null;
  totals: UsageTotals;
  models: ModelCost[];
  total_calls: number;
  calls: CallItem[];
  notes: string[];
}

/** Whose cost is to be explained: a session's, or that of a stretch of time or a project. */
export interface ExplanationQuery {
  since?: string;
  until?: string;
  zone?: string;
  project?: string;
  session?: string;
  by?: "" | "agent" | "agent-type" | "machine" | "member" | "model" | "project" | "session";
  key?: string;
  part?: "" | "a" | "agent" | "agents" | "all" | "b" | "own" | "path" | "turn";
  tip?: string;
  agent?: string;
  to?: string;
  at?: string;
  a?: string;
  b?: string;
  other?: string;
  first?: number;
  limit?: number;
}

/** What an export would write; `left_out` says what would not be in it, empty where nothing. */
export interface ExportPreview {
  name: string;
  bytes: number;
  findings: MaskedFinding[];
  included: IncludedCounts;
  left_out: string;
}

/** What goes into a document; `emails` replaces e-mail addresses too. */
export interface ExportQuery {
  tip?: string;
  agent?: string;
  to?: "html" | "json" | "md" | "present";
  thinking?: boolean;
  tools?: boolean;
  results?: boolean;
  agents?: boolean;
  redact?: boolean;
  emails?: boolean;
}

/** How many of the hits that were looked at have a value. */
export interface FacetValue {
  value: string;
  label: string;
  count: number;
}

/** Values by which a search can be narrowed; `whole` says that all hits were counted. */
export interface Facets {
  project: FacetValue[];
  kind: FacetValue[];
  branch: FacetValue[];
  machine: FacetValue[];
  member: FacetValue[];
  whole: boolean;
}

/** Whose facts are asked for: of the branch to `tip`, else of the active one. */
export interface FactsQuery {
  tip?: string;
  agent?: string;
  until?: string;
}

/** What went wrong, in a sentence a person can be shown. */
export interface Fault {
  code: string;
  message: string;
  hint: string | null;
  at: number | null;
  near: NearSession[];
}

/** A file that the conversation changed; `touches` are the messages that did. */
export interface FileFact {
  path: string;
  added: number;
  removed: number;
  touches: string[];
}

/** Files, those changed most first, then those read most. */
export interface FileReport {
  rows: FileRow[];
  totals: FileTotals;
}

/** One file by its path as the calls name it; `failed` calls are in no other count. */
export interface FileRow {
  path: string;
  reads: number;
  edits: number;
  writes: number;
  failed: number;
  sessions: number;
  last: string | null;
}

/** All files together; `changed` are those edited or written. */
export interface FileTotals {
  files: number;
  changed: number;
  reads: number;
  edits: number;
  writes: number;
  failed: number;
}

/** Where words were found. */
export interface FindAnswer {
  total: number;
  hits: FindHit[];
}

/** A place where words were found; `opens` are the folds on the way to it. */
export interface FindHit {
  number: number;
  key: string;
  opens: string[];
  uuid: string | null;
  tip: string | null;
  count: number;
}

/** Which words, on this branch or on all. */
export interface FindQuery {
  tip?: string;
  agent?: string;
  until?: string;
  q?: string;
  scope?: "all" | "branch";
}

/** Something `doctor` would say about the session. */
export interface FindingFact {
  level: string;
  sentence: string;
}

/** What the client may delete within `days`; `sentence` is empty where nothing is due. */
export interface ForecastAnswer {
  sentence: string;
  sessions: number;
  not_kept: number;
  days: number;
}

/** The session of which no copy is wanted, by its whole id. */
export interface ForgetBody {
  session?: string;
}

/** What was removed of a session. */
export interface ForgottenAnswer {
  session: string;
  files: number;
  bytes: number;
}

/** A session that was forked off this one, at a message where that is known. */
export interface ForkFact {
  id: string;
  title: string;
  at: string | null;
}

/** `gone`: a session is in the live list no longer, or its file is gone. */
export interface GoneEvent {
  session: string;
  project: string;
  deleted: boolean;
  waits: number;
  working: number;
}

/** A session that the client deleted and the archive has. */
export interface GoneItem {
  session: string;
  open_id: string | null;
  title: string;
  project_name: string;
  bytes: number;
  gone_at: string | null;
}

/** A finding; `repair` says what a repair does about it, `why_not` why it does nothing. */
export interface HealthFinding {
  kind: string;
  severity: "note" | "problem";
  where: string;
  message: string;
  repair: string | null;
  why_not: string | null;
}

/** How far all sessions were looked through, and those in which something was found. */
export interface HistoryHealth {
  state: "none" | "ready" | "running";
  checked: number;
  total: number;
  problems: number;
  notes: number;
  sessions: SessionHealth[];
}

/** Hooks, those that ran most first. */
export interface HookReport {
  rows: HookRow[];
  totals: HookTotals;
}

/** One hook: a command at an event. */
export interface HookRow {
  event: string;
  command: string;
  runs: number;
  failed: number;
  blocked: number;
  unknown: number;
  p50_ms: number | null;
  p95_ms: number | null;
  measured: number;
  sessions: number;
  last: string | null;
  waited_ms: number;
}

/** All hooks together. */
export interface HookTotals {
  runs: number;
  failed: number;
  blocked: number;
  unknown: number;
  waited_ms: number;
}

/** One hour of the week over all weeks; weekday 1 is Monday, 7 Sunday. */
export interface HourRow {
  weekday: number;
  hour: number;
  prompts: number;
  answers: number;
}

/** What a document holds, counted. */
export interface IncludedCounts {
  turns: number;
  thinking: number;
  tools: number;
  results: number;
  agents: number;
}

/** `index`: how far the index is. */
export interface IndexEvent {
  index: IndexStatus;
}

/** How far the index is; `sentence` says why answers may lack something. */
export interface IndexStatus {
  state: "building" | "none" | "partial" | "ready";
  done: number;
  total: number;
  seconds_left: number | null;
  sentence: string | null;
}

/** What is left of a session whose file the client deleted, in a word and in a sentence. */
export interface KeptSign {
  place: "archive" | "index";
  label: string;
  words: string;
}

/** What a person calls a key. */
export interface KeyName {
  key: string;
  name: string;
}

/** The files that a session comes from and those that go on from it, oldest first. */
export interface LineageAnswer {
  session: string;
  lanes: number;
  rows: LineageRow[];
  compactions: number;
  forks_only: boolean;
}

/** Nothing narrows the lineage of a session. */
export interface LineageQuery {
}

/** A file of the lineage, in its lane. */
export interface LineageRow {
  id: string;
  how: "" | "copy" | "fork";
  origin: string | null;
  shared: number;
  at: string | null;
  here: boolean;
  depth: number;
  bars: string;
  opens: boolean;
  ends: boolean;
  row: SessionItem | null;
}

/** Sessions that are going on, or were lately; the most urgent first. */
export interface LiveAnswer {
  waits: number;
  working: number;
  sessions: LiveSession[];
  said: LiveMessage[];
}

/** `live`: a row of the live list is other than it was. */
export interface LiveEvent {
  session: LiveSession;
  waits: number;
  working: number;
}

/** `said`: one thing that happened, as the stream shows it. */
export interface LiveMessage {
  time: string | null;
  session: string;
  project: string;
  project_name: string;
  title: string;
  agent: string | null;
  uuid: string | null;
  kind: string;
  words: string;
  tool: string | null;
  failed: boolean;
}

/** One session that is going on, or was lately; see docs/live.md for the fields. */
export interface LiveSession {
  id: string;
  project: string;
  name: string;
  path: string;
  title: string;
  state: SessionState;
  sure: boolean;
  asks: string | null;
  since: string | null;
  active_at: string | null;
  model: string | null;
  context_tokens: number | null;
  context_window: number | null;
  cost_usd: number | null;
  copied_cost_usd: number | null;
  unpriced_models: string[];
  partial: boolean;
  thought: string | null;
  agents: number;
  pid: number | null;
  version: string | null;
  git_branch: string | null;
  permission_mode: string | null;
  thinking: boolean | null;
  todos: TodoProgress | null;
  doing: string | null;
  doing_since: string | null;
  output: string | null;
  budget: BudgetShare | null;
}

/** The whole conversation, or one message of it. */
export interface MarkdownQuery {
  tip?: string;
  agent?: string;
  until?: string;
  uuid?: string;
}

/** What looks like a secret of one kind; each one masked. */
export interface MaskedFinding {
  kind: string;
  count: number;
  masked: string[];
}

/** What a model used, and its price; `rates` is null where it has none. */
export interface ModelCost {
  input_tokens: number;
  output_tokens: number;
  cache_creation_tokens: number;
  cache_read_tokens: number;
  cost_usd: number | null;
  unpriced_models: string[];
  model: string;
  calls: number;
  price_name: string | null;
  as_of: string | null;
  rates: TokenPrices | null;
  above: number | null;
  rates_above: TokenPrices | null;
  fast_multiplier: number | null;
  web_search_usd: number | null;
}

/** Models, those that answered most first. */
export interface ModelReport {
  rows: ModelRow[];
  totals: ModelTotals;
}

/** One model: its answers, how many of them were an agent's, and in how many sessions. */
export interface ModelRow {
  model: string;
  answers: number;
  agent_answers: number;
  sessions: number;
  first: string | null;
  last: string | null;
}

/** All models together. */
export interface ModelTotals {
  answers: number;
  agent_answers: number;
  sessions: number;
}

/** A session that may have been meant by an id that names none, or several. */
export interface NearSession {
  id: string;
  title: string;
}

/** The params of a route that takes none. */
export interface NoParams {
}

/** One operation; `session` is the address of what came of it, null where that is gone. */
export interface OperationItem {
  number: number;
  at: string;
  operation: string;
  headline: string;
  state: string;
  reason: string;
  session: string | null;
  undone_by: number | null;
  can_undo: boolean;
}

/** Operations of this Claude folder, the newest first; `total` counts all there are. */
export interface OperationsAnswer {
  operations: OperationItem[];
  total: number;
}

/** Which operations: `all` also has those that were not carried out. */
export interface OperationsQuery {
  all?: boolean;
  limit?: number;
}

/** What another member of a team said of a session or a message: a star, a note. */
export interface OtherNote {
  author: string;
  starred: boolean;
  note: string;
}

/** A line of the outline: the piece it leads to, and what it says of it. */
export interface OutlineEntry {
  number: number;
  kind: string;
  text: string;
  time: string | null;
  agents: number;
  failed: number;
  steps: number;
  end: string;
  about: string;
  tip: string | null;
  uuid: string | null;
}

/** A stretch of an output that is kept in a file of its own. */
export interface OutputAnswer {
  name: string;
  bytes: number;
  from: number;
  to: number;
  text: string;
}

/** Which kept output, from which byte on, and how much of it. */
export interface OutputQuery {
  name?: string;
  from?: number;
  count?: number;
  agent?: string;
}

/** What the page needs before it shows anything; null is not chosen. */
export interface PageSettings {
  theme: "dark" | "light" | "system" | null;
  text_size: number | null;
  density: "comfortable" | "compact" | null;
  zone: string | null;
  clock: "12h" | "24h" | null;
  week_start: string;
  fixed: string[];
}

/** Which picture: the nth of the record at an offset. */
export interface PictureQuery {
  offset?: number;
  n?: number;
  agent?: string;
}

/** One piece of a conversation, rendered. */
export interface PieceHtml {
  number: number;
  key: string;
  kind: string;
  uuid: string | null;
  timestamp: string | null;
  html: string;
}

/** Pieces in a row. */
export interface PiecePage {
  from: number;
  pieces: PieceHtml[];
}

/** Pieces in a row, of a revision. */
export interface PiecesAnswer {
  revision: string;
  from: number;
  pieces: PieceHtml[];
}

/** Which pieces: `count` from number `from` on, of the `revision` the page knows. */
export interface PiecesQuery {
  tip?: string;
  agent?: string;
  until?: string;
  from?: number;
  count?: number;
  revision?: string;
}

/** The plan to carry out: its name, and the digest of what was shown of it. */
export interface PlanBody {
  plan?: string;
  digest?: string;
}

/** An error, and the preview of what would be done now instead; null where there is none. */
export interface PlanChangedAnswer {
  error: Fault;
  preview: PlanPreview | null;
}

/** A plan as the client keeps it in a file of its own. */
export interface PlanFileFact {
  name: string;
  text: string;
}

/** What ties a session to a plan: its part in it, and the sessions of the other part. */
export interface PlanInfo {
  role: "implementation" | "plan";
  others: SessionTitle[];
}

/** What a plan would do. It is carried out by its name and the digest of what is shown here. */
export interface PlanPreview {
  plan: string;
  digest: string;
  operation: "fork" | "goto" | "rename" | "repair" | "restore" | "undo";
  session: string;
  headline: string;
  rows: PreviewItem[];
  point: PointFact | null;
  sees: string | null;
  prompts: string[];
  files: string[];
  stays: string[];
  title: string | null;
  cwd: string | null;
  diff: string[];
  diff_left: number;
}

/** Where a plan begins: the record that the next prompt follows, and the turn it ends. */
export interface PointFact {
  uuid: string;
  text: string;
  timestamp: string | null;
  earlier: string | null;
  later: string | null;
  is_before_unfinished: boolean;
}

/** A conversation as slides. */
export interface PresentationAnswer {
  revision: string;
  redacted: boolean;
  kinds: string[];
  turn_numbers: number[];
  message_keys: string[];
  names: string[];
  start: number;
  left_out: string;
  page: SlidesAnswer;
}

/** Which message it begins with, else the first; secrets are hidden unless that is refused. */
export interface PresentationQuery {
  tip?: string;
  agent?: string;
  until?: string;
  at?: string;
  redact?: boolean;
}

/** One row of a preview; the headline has no label. */
export interface PreviewItem {
  label: string;
  text: string;
}

/** One project; `days` counts what was said on each of the last 30 days, newest last. */
export interface ProjectItem {
  id: string;
  name: string;
  path: string | null;
  worktree_of: string | null;
  gone: boolean;
  git_branch: string | null;
  sessions: number;
  last_active: string | null;
  cost_30d_usd: number | null;
  unpriced_models: string[];
  days: number[];
  starred: boolean;
  hidden: boolean;
  machine: string | null;
  owner: string | null;
}

/** All projects, the most recently active first; `sessions` counts those of all. */
export interface ProjectsAnswer {
  projects: ProjectItem[];
  sessions: number;
  sentence: string | null;
}

/** A pull request that came out of a session, named as people do; its page where known. */
export interface PullRequestItem {
  label: string;
  number: number;
  url: string | null;
}

/** Which stretch of time is meant, in the words of the command line; empty is all of it. */
export interface RangeQuery {
  since?: string;
  until?: string;
  zone?: string;
  project?: string;
  session?: string;
}

/** What was used from a day on; `since` is the word for it on the command line. */
export interface RangeTotal {
  since: string;
  amount: UsageTotals;
}

/** The records of a message. */
export interface RawAnswer {
  records: RawRecord[];
}

/** Which message's records. */
export interface RawQuery {
  uuid?: string;
  agent?: string;
  offset?: number;
}

/** A record as it lies in the file. */
export interface RawRecord {
  line: number;
  offset: number;
  json: string;
}

/** Pieces from a message on, on the branch that goes through it; `tip` is the end of that. */
export interface ReadingAnswer {
  tip: string | null;
  active: boolean;
  revision: string;
  from: number;
  count: number;
  pieces: PieceHtml[];
}

/** The message to read from; without one the active branch is read from its start. */
export interface ReadingQuery {
  at?: string;
  count?: number;
}

/** The answer to "Read them". */
export interface ReadyAnswer {
  ready: boolean;
  index: IndexStatus;
}

/** A session behind a number, and how often it happened there. */
export interface ReportSessionItem {
  id: string;
  open_id: string | null;
  title: string;
  project_name: string;
  count: number;
  last: string | null;
  kept: KeptSign | null;
}

/** The sessions behind a row, those with most first. */
export interface ReportSessionsAnswer {
  total: number;
  rows: ReportSessionItem[];
}

/** Which row of a report is meant: the report and the key of the row. */
export interface ReportSessionsQuery {
  since?: string;
  until?: string;
  zone?: string;
  project?: string;
  session?: string;
  report?: string;
  key?: string;
}

/** `reset`: events were missed that are kept no longer; ask for everything again. */
export interface ResetEvent {
  reason: string;
}

/** What a command does for a session: the client goes on with it, or bough brings it first. */
export type ResumeKind = "none" | "pull" | "restore" | "resume";

/** How many days the client keeps the sessions of a folder, and which file says so. */
export interface RetentionItem {
  folder: string;
  days: number;
  source: string | null;
  sentence: string;
}

/** A page of hits; `exact` says that `total` counts all of them. */
export interface SearchAnswer {
  query: string;
  total: number;
  exact: boolean;
  sessions: number | null;
  partial: string | null;
  took_ms: number;
  facets: Facets;
  hits: SearchHit[];
  next: string | null;
  suggestion: SuggestedQuery | null;
  skipped: UncheckedLine[];
}

/** A word that could stand there. */
export interface SearchCompletion {
  text: string;
  about: string;
}

/** One record that was found; `marks` are places in the snippet, in characters. */
export interface SearchHit {
  session: string;
  project: string;
  project_name: string;
  worktree_of: string | null;
  title: string;
  uuid: string | null;
  timestamp: string | null;
  kind: string;
  role: string | null;
  tool: string | null;
  snippet: string | null;
  marks: [number, number][];
  active: boolean;
  agent: string | null;
  agent_type: string | null;
  failed: boolean;
  in_session: number | null;
  kept: KeptSign | null;
}

/** What is searched for, in the search language. */
export interface SearchQuery {
  q?: string;
  sort?: "best" | "newest";
  cursor?: string;
  limit?: number;
}

/** Everything beside the words of a session. */
export interface SessionDetails {
  row: SessionItem;
  cwd: string | null;
  path: string;
  version: string | null;
  tip_rule: string;
  branches: BranchInfo[];
  cost_path: CostFact;
  cost_all: CostFact;
  duration_seconds: number | null;
  context: ContextUsage | null;
  agents: AgentFact[];
  files: FileFact[];
  hooks: number;
  notes: number;
  findings: FindingFact[];
  plan: PlanInfo | null;
  plan_texts: PlanFileFact[];
  todos: TodoList[];
  todo_words: string;
  forks: ForkFact[];
  resume: string;
  resume_note: string;
  resume_kind: ResumeKind;
}

/** What is wrong with a session; `reachability` is the share that a resume would see. */
export interface SessionHealth {
  id: string;
  title: string;
  project_name: string;
  last_active: string | null;
  reachability: number;
  findings: HealthFinding[];
  is_repairable: boolean;
  trouble: string;
}

/** One session in a list; `turns` and `messages` are those of its active conversation. */
export interface SessionItem {
  id: string;
  project: string;
  project_name: string;
  worktree_of: string | null;
  title: string;
  state: "background" | "compacting" | "deleted" | "failed" | "finished" | "interrupted" | "waiting" | "working";
  sure: boolean;
  asks: string | null;
  since: string | null;
  turns: number;
  messages: number;
  branches: number;
  agents: number;
  cost_usd: number | null;
  copied_cost_usd: number | null;
  unpriced_models: string[];
  model: string | null;
  git_branch: string | null;
  started_at: string | null;
  ended_at: string | null;
  deleted_at: string | null;
  kind: string;
  run: string;
  plan: PlanInfo | null;
  forked_from: string | null;
  bytes: number;
  resume: string;
  resume_note: string;
  resume_kind: ResumeKind;
  excerpt: string;
  starred: boolean;
  note: string;
  pull_requests: PullRequestItem[];
  kept: KeptSign | null;
  machine: string | null;
  owner: string | null;
  other_notes: OtherNote[];
  budget: BudgetShare | null;
}

/** What a session is doing, the most urgent first. */
export type SessionState = "background" | "compacting" | "failed" | "finished" | "interrupted" | "waiting" | "working";

/** A session by its id and its title. */
export interface SessionTitle {
  id: string;
  title: string;
}

/** A page of sessions; `next` is the cursor of the one after it. */
export interface SessionsAnswer {
  total: number;
  next: string | null;
  rows: SessionItem[];
  sentence: string | null;
  models: string[];
  branches: string[];
  machines: string[];
  members: string[];
}

/** What sessions are asked for; what is empty does not narrow. */
export interface SessionsQuery {
  project?: string;
  state?: string;
  kind?: string;
  since?: string;
  until?: string;
  model?: string;
  branch?: string;
  machine?: string;
  member?: string;
  starred?: boolean;
  visible?: boolean;
  sort?: "cost" | "newest" | "oldest" | "state" | "title" | "turns";
  filter?: string;
  cursor?: string;
  limit?: number;
}

/** A change: the setting's name and its value; null takes the choice back. */
export interface SettingBody {
  name?: string;
  value?: string | boolean | number | string[] | Record<string, Record<string, number> | null> | null;
}

/** One of a few values; null is that of the system, or none yet. */
export interface SettingChoice {
  value: string | boolean | null;
  label: string;
}

/** One setting: what holds, where it was set, and how it is chosen. */
export interface SettingItem {
  name: string;
  section: string;
  label: string;
  kind: "choice" | "folder" | "folders" | "number" | "prices" | "zone";
  about: string;
  options: SettingChoice[];
  least: number;
  most: number;
  unit: string;
  source: "apps" | "config" | "default";
  fixed: string;
  text: string | null;
  number: number | null;
  folders: string[];
  prices: SettingPrice[];
}

/** A price of one's own, in USD per million tokens; null is left to the published one. */
export interface SettingPrice {
  model: string;
  input: number | null;
  output: number | null;
}

/** The page of settings. `folders` are read now, `zones` can be chosen. */
export interface SettingsAnswer {
  settings: SettingItem[];
  warnings: string[];
  file: string;
  config: string;
  folders: string[];
  index: string;
  index_bytes: number;
  prices_of: string;
  zones: string[];
}

/** Which fold's body, of the `revision` the page knows. */
export interface SlideBodyQuery {
  tip?: string;
  agent?: string;
  until?: string;
  key?: string;
  revision?: string;
  redact?: boolean;
}

/** Slides in a row, rendered. */
export interface SlidesAnswer {
  from: number;
  slides: string[];
}

/** Which slides: `count` from number `from` on, of the `revision` the page knows. */
export interface SlidesQuery {
  tip?: string;
  agent?: string;
  until?: string;
  from?: number;
  count?: number;
  revision?: string;
  redact?: boolean;
}

/** Where two branches part: the last turn they have in common. */
export interface SplitPoint {
  uuid: string;
  text: string;
  time: string | null;
}

/** The totals of every report, the days, and the tools and models used most. */
export interface StatsOverview {
  activity: ActivityTotals;
  tools: ToolTotals;
  hooks: HookTotals;
  errors: ErrorTotals;
  agents: AgentTotals;
  compactions: CompactionTotals;
  files: FileTotals;
  top_tools: ToolRow[];
  top_models: ModelRow[];
  days: DayRow[];
}

/** What statistics are asked for; `limit` leaves the first rows, 0 all. */
export interface StatsQuery {
  since?: string;
  until?: string;
  zone?: string;
  project?: string;
  session?: string;
  limit?: number;
}

/** A query close to one without hits that has some, and what to say of it. */
export interface SuggestedQuery {
  query: string;
  total: number;
  sentence: string;
}

/** A text, as Markdown. */
export interface TextAnswer {
  text: string;
}

/** One thing to do; `doing` is what is said while it is done, `blocked_by` names others. */
export interface TodoItem {
  text: string;
  status: string;
  doing: string;
  priority: string;
  id: string;
  about: string;
  blocked_by: string[];
}

/** A list of things to do: the session's own, or that of an agent. */
export interface TodoList {
  agent: string | null;
  items: TodoItem[];
}

/** How much of a list is done, and what is being done now; empty where nothing is. */
export interface TodoProgress {
  done: number;
  total: number;
  doing: string;
}

/** Prices in USD per million tokens. */
export interface TokenPrices {
  input: number;
  output: number;
  cache_write_5m: number;
  cache_write_1h: number;
  cache_read: number;
}

/** Tools, those called most first. */
export interface ToolReport {
  rows: ToolRow[];
  totals: ToolTotals;
}

/** One tool. */
export interface ToolRow {
  tool: string;
  calls: number;
  failed: number;
  refused: number;
  unfinished: number;
  p50_ms: number | null;
  p95_ms: number | null;
  measured: number;
  estimated: number;
  output_bytes: number;
  sessions: number;
  last: string | null;
}

/** All tools together. */
export interface ToolTotals {
  calls: number;
  failed: number;
  refused: number;
  unfinished: number;
  output_bytes: number;
  sessions: number;
}

/** What was used today, this week and in 30 days; `budget` is that of the day, where one is. */
export interface TotalsAnswer {
  today: RangeTotal;
  week: RangeTotal;
  month: RangeTotal;
  budget: BudgetShare | null;
}

/** A preview, or why there is none. */
export interface TravelAnswer {
  preview: PlanPreview | null;
  refusal: TravelRefusal | null;
}

/** A change that somebody would like to see the preview of. */
export interface TravelBody {
  operation?: "fork" | "goto" | "rename" | "repair" | "restore" | "undo";
  session?: string;
  at?: string;
  branch?: string;
  title?: string | null;
  cwd?: string;
  in_place?: boolean;
  number?: number | null;
  force?: boolean;
}

/** Why something is not done, and what could be instead: fork, repair a copy, or insist. */
export interface TravelRefusal {
  code: string;
  message: string;
  offers: ("copy" | "force" | "fork")[];
}

/** The graph of a session: how many rows, the shape of all of them, those around the start. */
export interface TreeAnswer {
  session: string;
  title: string;
  revision: string;
  zoom: "messages" | "prompts" | "shape";
  branch_count: number;
  turns: number;
  cost_usd: number | null;
  unpriced_models: string[];
  tip_rule: string;
  count: number;
  kinds: string;
  depths: number[];
  start: number;
  tip: number | null;
  lanes: number;
  page: TreeRowsAnswer;
}

/** A branch of the graph: its name, where and why it was left, and what it took. */
export interface TreeBranch {
  number: number;
  name: string;
  active: boolean;
  tip: string | null;
  left_because: string;
  left_at: string | null;
  split_from: string;
  turns: number;
  steps: number;
  cost_usd: number | null;
  unpriced_models: string[];
}

/** How near one looks, and the record to begin at; else it is the active tip. */
export interface TreeQuery {
  zoom?: "messages" | "prompts" | "shape";
  at?: string;
}

/** One row of the graph. */
export interface TreeRow {
  number: number;
  kind: string;
  key: string;
  uuid: string | null;
  text: string;
  answer: string;
  time: string | null;
  note: string;
  note_at: string | null;
  steps: number | null;
  failed: number;
  state: string;
  cost_usd: number | null;
  unpriced_models: string[];
  depth: number;
  bars: string;
  opens: boolean;
  begins: boolean;
  ends: boolean;
  crowded: boolean;
  active: boolean;
  on_path: boolean;
  tip: boolean;
  continued: boolean;
  quiet: boolean;
  written: number;
  splits: number;
  branch: number;
  agent: string | null;
  session: string | null;
}

/** Rows in a row, and the branches that they are on. */
export interface TreeRowsAnswer {
  revision: string;
  from: number;
  rows: TreeRow[];
  branches: TreeBranch[];
}

/** Which rows. */
export interface TreeRowsQuery {
  zoom?: "messages" | "prompts" | "shape";
  from?: number;
  count?: number;
}

/** A line of a session that was not looked at: a pattern was stopped there. */
export interface UncheckedLine {
  session: string;
  uuid: string | null;
  line: number;
}

/** A report of usage; `total_rows` counts those before the limit. `limits` are for blocks. */
export interface UsageAnswer {
  rows: UsageReportRow[];
  totals: UsageTotals;
  unpriced_models: string[];
  total_rows: number;
  names: KeyName[];
  notes: string[];
  first_day: string | null;
  last_day: string | null;
  left_behind: UsageTotals | null;
  limits: UsageLimit[];
}

/** A limit of the subscription, as the client says: how much of a hundred is used, until when. */
export interface UsageLimit {
  name: string;
  label: string;
  used_percentage: number;
  resets_at: string | null;
  heard_at: string;
}

/** One part of a row that is broken down. */
export interface UsagePart {
  input_tokens: number;
  output_tokens: number;
  cache_creation_tokens: number;
  cache_read_tokens: number;
  cost_usd: number | null;
  unpriced_models: string[];
  key: string;
}

/** What usage is asked for; `limit` leaves the first rows, 0 all. */
export interface UsageQuery {
  since?: string;
  until?: string;
  zone?: string;
  project?: string;
  session?: string;
  report?: "agent" | "blocks" | "branch" | "daily" | "model" | "monthly" | "project" | "session" | "weekly";
  by?: "" | "agent" | "agent-type" | "machine" | "member" | "model" | "project" | "session";
  week_start?: string;
  existing?: boolean;
  limit?: number;
}

/** A row of a report of usage; what only other reports have is null. */
export interface UsageReportRow {
  input_tokens: number;
  output_tokens: number;
  cache_creation_tokens: number;
  cache_read_tokens: number;
  cost_usd: number | null;
  unpriced_models: string[];
  key: string;
  models: string[];
  by: UsagePart[];
  label: string | null;
  open_id: string | null;
  project_name: string | null;
  kept: KeptSign | null;
  session: string | null;
  tip: string | null;
  active: boolean | null;
  own: UsageTotals | null;
  path: UsageTotals | null;
  type: string | null;
  description: string | null;
  start: string | null;
  end: string | null;
  calls: number | null;
  gap: boolean | null;
  burn: BlockRate | null;
  projection: BlockProjection | null;
}

/** What some calls used; `cost_usd` is null where nothing in it has a price. */
export interface UsageTotals {
  input_tokens: number;
  output_tokens: number;
  cache_creation_tokens: number;
  cache_read_tokens: number;
  cost_usd: number | null;
  unpriced_models: string[];
}

/** What the last verification found; `left_out` counts damage that is not listed. */
export interface VerifiedItem {
  at: string;
  sentence: string;
  damage: string[];
  left_out: number;
}

/** What shall be done: take in what is new, verify every byte, or stop what is being done. */
export interface WorkBody {
  do?: "cancel" | "keep" | "verify";
}
