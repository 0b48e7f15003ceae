# Written by scripts/library_stub.py from name_table.py.
# ruff: noqa: I001

from bough.archive.intake.archive_memory import (
    is_archive_asked as is_archive_asked,
)
from bough.archive.intake.archive_run import (
    finish_archive_runs as finish_archive_runs,
)
from bough.archive.intake.schedule import (
    install_schedule as install_schedule,
    list_installed_files as list_installed_files,
    plan_schedule as plan_schedule,
    uninstall_schedule as uninstall_schedule,
)
from bough.archive.intake.take_in import (
    ArchiveUpdate as ArchiveUpdate,
)
from bough.archive.reports.forecast import (
    DeletionDay as DeletionDay,
    DeletionForecast as DeletionForecast,
    ExpiringSession as ExpiringSession,
    describe_later as describe_later,
)
from bough.archive.reports.last_verification import (
    LastVerification as LastVerification,
)
from bough.archive.reports.lost_sessions import (
    ANSWERS_DELETED as ANSWERS_DELETED,
    LostPrompt as LostPrompt,
    LostSession as LostSession,
)
from bough.archive.reports.sentences import (
    SHORT_MACHINE as SHORT_MACHINE,
    describe_contents as describe_contents,
    describe_damage as describe_damage,
    describe_equal as describe_equal,
    describe_retention as describe_retention,
    describe_safe as describe_safe,
    describe_verification as describe_verification,
)
from bough.archive.reports.status import (
    ArchiveStatus as ArchiveStatus,
    GoneSessionCopy as GoneSessionCopy,
    RewrittenSession as RewrittenSession,
)
from bough.archive.reports.verification import (
    ArchiveDamage as ArchiveDamage,
    EqualCopies as EqualCopies,
)
from bough.archive.storage.archive_catalog import (
    ArchiveBusy as ArchiveBusy,
)
from bough.archive.storage.archive_finder import (
    find_kept_place as find_kept_place,
)
from bough.archive.storage.contents import (
    ArchiveContents as ArchiveContents,
)
from bough.archive.transfer.adoption import (
    KnownMachine as KnownMachine,
)
from bough.archive.transfer.carried_files import (
    ArchiveExport as ArchiveExport,
    ArchiveImport as ArchiveImport,
)
from bough.errors import (
    BoughError as BoughError,
)
from bough.export.document import (
    Export as Export,
    export_session as export_session,
)
from bough.export.document_options import (
    DEFAULT_BUDGET as DEFAULT_BUDGET,
    ExportFormat as ExportFormat,
    ExportOptions as ExportOptions,
    SecretFinding as SecretFinding,
    parse_budget as parse_budget,
)
from bough.export.header import (
    make_file_name as make_file_name,
)
from bough.export.html.conversation_view import (
    ConversationView as ConversationView,
    OutlineRow as OutlineRow,
)
from bough.export.html.find import (
    PieceMatch as PieceMatch,
    count_words as count_words,
)
from bough.export.html.images import (
    read_picture as read_picture,
)
from bough.export.html.presentation import (
    Presentation as Presentation,
    build_presentation as build_presentation,
)
from bough.export.html.text_pair import (
    render_hunks as render_hunks,
    render_prose_pair as render_prose_pair,
    render_text_pair as render_text_pair,
)
from bough.export.llm.fit import (
    estimate_tokens as estimate_tokens,
)
from bough.export.markdown.conversation import (
    write_piece as write_piece,
)
from bough.export.pieces import (
    PieceContent as PieceContent,
    PieceInfo as PieceInfo,
)
from bough.export.save import (
    check_file as check_file,
    save_file as save_file,
)
from bough.export.secrets.redact import (
    Redactor as Redactor,
    redact_session as redact_session,
)
from bough.export.site import (
    SitePage as SitePage,
)
from bough.files.directory import (
    Problem as Problem,
)
from bough.files.system_schedule import (
    Schedule as Schedule,
    ScheduleReport as ScheduleReport,
)
from bough.library.annotation_functions import (
    ImportReport as ImportReport,
    annotate as annotate,
    annotations as annotations,
    change_annotation as change_annotation,
    export_annotations as export_annotations,
    hide_project as hide_project,
    import_annotations as import_annotations,
    load_annotations as load_annotations,
    load_readable_annotations as load_readable_annotations,
    star as star,
    unstar as unstar,
)
from bough.library.archive.archive_functions import (
    archive_sessions as archive_sessions,
    verify_archive as verify_archive,
)
from bough.library.archive.archive_job import (
    ArchiveJob as ArchiveJob,
    ArchiveProgress as ArchiveProgress,
)
from bough.library.archive.backup_functions import (
    BackupRestore as BackupRestore,
    WrittenBackup as WrittenBackup,
    back_up as back_up,
    restore_backup as restore_backup,
)
from bough.library.archive.consent_functions import (
    ArchiveConsent as ArchiveConsent,
    ArchiveQuestion as ArchiveQuestion,
    answer_archive_consent as answer_archive_consent,
    find_archive_consent as find_archive_consent,
    take_archive_sentence as take_archive_sentence,
)
from bough.library.archive.forget_functions import (
    ForgottenParts as ForgottenParts,
    find_forgettable_session as find_forgettable_session,
    forget_archived_session as forget_archived_session,
)
from bough.library.archive.lost_functions import (
    explain_lost as explain_lost,
    lost_session as lost_session,
    lost_sessions as lost_sessions,
)
from bough.library.archive.status_functions import (
    archive_status as archive_status,
    find_archived_session as find_archived_session,
    forecast_deletions as forecast_deletions,
)
from bough.library.archive.transfer_functions import (
    adopt_machine as adopt_machine,
    archive_machines as archive_machines,
    export_archive as export_archive,
    import_archive as import_archive,
)
from bough.library.client_settings.client_settings_functions import (
    HooksStatus as HooksStatus,
    SettingsHealth as SettingsHealth,
    check_settings as check_settings,
    hooks_status as hooks_status,
    install_guard as install_guard,
    install_hooks as install_hooks,
    install_status_line as install_status_line,
    uninstall_guard as uninstall_guard,
    uninstall_hooks as uninstall_hooks,
    uninstall_status_line as uninstall_status_line,
)
from bough.library.client_settings.guard_functions import (
    GuardStatus as GuardStatus,
    SessionBudget as SessionBudget,
    change_budgets as change_budgets,
    day_budget as day_budget,
    guard_status as guard_status,
)
from bough.library.export_functions import (
    ExportChoices as ExportChoices,
    choose_format as choose_format,
    export as export,
    export_site as export_site,
)
from bough.library.guide_functions import (
    GuidePage as GuidePage,
    list_guide_pages as list_guide_pages,
    read_guide_page as read_guide_page,
)
from bough.library.health_functions import (
    HealthReport as HealthReport,
    ReportedFinding as ReportedFinding,
    report_health as report_health,
    report_health_of_files as report_health_of_files,
)
from bough.library.index_functions import (
    check_index as check_index,
    index as index,
    sql as sql,
    tables as tables,
    unkept_sessions as unkept_sessions,
)
from bough.library.list_functions import (
    conversations as conversations,
    projects as projects,
    sessions as sessions,
)
from bough.library.live_functions import (
    refresh_status_numbers as refresh_status_numbers,
    status as status,
    watch as watch,
)
from bough.library.notification_functions import (
    Notifier as Notifier,
    make_notifier as make_notifier,
)
from bough.library.recall_functions import (
    DecisionCandidate as DecisionCandidate,
    EarlierPlace as EarlierPlace,
    FileUse as FileUse,
    find_decisions as find_decisions,
    find_earlier_places as find_earlier_places,
    find_file_uses as find_file_uses,
    sessions_within as sessions_within,
)
from bough.library.search_functions import (
    count_facets as count_facets,
    count_session_hits as count_session_hits,
    parse_query as parse_query,
    search as search,
    suggest_query as suggest_query,
)
from bough.library.session_functions import (
    doctor as doctor,
    find as find,
    outline as outline,
    read_session as read_session,
    resume_command as resume_command,
)
from bough.library.settings_functions import (
    Setting as Setting,
    change_prices as change_prices,
    change_setting as change_setting,
    find_setting as find_setting,
    list_settings as list_settings,
    list_settings_warnings as list_settings_warnings,
)
from bough.library.stats_functions import (
    stats as stats,
    stats_sessions as stats_sessions,
)
from bough.library.team.budget_functions import (
    BudgetCheck as BudgetCheck,
    check_team_budgets as check_team_budgets,
    describe_crossed_mark as describe_crossed_mark,
    list_team_budgets as list_team_budgets,
    post_crossed_marks as post_crossed_marks,
    remove_team_budget as remove_team_budget,
    set_team_budget as set_team_budget,
)
from bough.library.team.push_functions import (
    PushChoice as PushChoice,
    chosen_projects as chosen_projects,
    find_team_store as find_team_store,
    has_team_store as has_team_store,
    parse_since as parse_since,
    pull as pull,
    push as push,
    pushable_projects as pushable_projects,
    remove_pushed_session as remove_pushed_session,
    watch_push as watch_push,
)
from bough.library.team.team_functions import (
    add_member as add_member,
    change_team_note as change_team_note,
    check_team as check_team,
    find_token_member as find_token_member,
    hash_token as hash_token,
    init_team as init_team,
    list_members as list_members,
    list_other_notes as list_other_notes,
    list_shares as list_shares,
    load_team_notes as load_team_notes,
    make_member_url as make_member_url,
    migrate_team as migrate_team,
    note_opening as note_opening,
    prune_team as prune_team,
    read_member_access as read_member_access,
    require_web_role as require_web_role,
    revoke_member as revoke_member,
    rotate_member as rotate_member,
    share_project as share_project,
    unshare_project as unshare_project,
)
from bough.library.travel_functions import (
    apply as apply,
    branch as branch,
    compare as compare,
    compare_files as compare_files,
    fork as fork,
    goto as goto,
    history as history,
    list_unrepaired as list_unrepaired,
    move as move,
    preview as preview,
    prune_backups as prune_backups,
    remedies as remedies,
    rename as rename,
    repair as repair,
    restore as restore,
    undo as undo,
)
from bough.library.usage_functions import (
    explain_cost as explain_cost,
    explain_counted_calls as explain_counted_calls,
    explain_usage as explain_usage,
    sum_usage as sum_usage,
    usage as usage,
)
from bough.model.conversation.conversation import (
    Conversation as Conversation,
)
from bough.model.conversation.messages import (
    Message as Message,
    TextBlock as TextBlock,
)
from bough.model.conversation.plan_files import (
    PlanFile as PlanFile,
    PlanLink as PlanLink,
)
from bough.model.conversation.plans import (
    PlanLinks as PlanLinks,
)
from bough.model.conversation.todo_lists import (
    TodoItem as TodoItem,
    TodoList as TodoList,
    count_todos as count_todos,
)
from bough.model.health import (
    Finding as Finding,
    Health as Health,
)
from bough.model.interpret.kept_places import (
    KeptPlace as KeptPlace,
)
from bough.model.outline.session_outline import (
    SessionOutline as SessionOutline,
)
from bough.model.outline.turns import (
    Turn as Turn,
)
from bough.model.recall.dropped_parts import (
    find_dropped as find_dropped,
)
from bough.model.session import (
    Agent as Agent,
    Session as Session,
)
from bough.model.tools.call_list import (
    ToolCall as ToolCall,
)
from bough.model.tools.calls import (
    CallResult as CallResult,
    Picture as Picture,
    ToolBlock as ToolBlock,
)
from bough.model.transcript import (
    Tip as Tip,
)
from bough.model.tree.branches import (
    BranchPoint as BranchPoint,
)
from bough.model.tree.lineage import (
    Origin as Origin,
)
from bough.model.tree.nodes import (
    Tree as Tree,
)
from bough.model.usage.budget_share import (
    BudgetShare as BudgetShare,
    Budgets as Budgets,
)
from bough.model.usage.costs import (
    UsageTotal as UsageTotal,
)
from bough.model.usage.tokens import (
    Tokens as Tokens,
    Usage as Usage,
)
from bough.notifications.notification_choice import (
    Notification as Notification,
    notification_document as notification_document,
)
from bough.notifications.notification_senders import (
    SendNotification as SendNotification,
    TerminalCode as TerminalCode,
    encode_for_terminal as encode_for_terminal,
    find_desktop_sender as find_desktop_sender,
    find_terminal_code as find_terminal_code,
    find_webhook_host as find_webhook_host,
    make_webhook_sender as make_webhook_sender,
)
from bough.notifications.notification_service import (
    NotifierOptions as NotifierOptions,
    install_notify_service as install_notify_service,
    list_notify_service_files as list_notify_service_files,
    plan_notify_service as plan_notify_service,
    uninstall_notify_service as uninstall_notify_service,
)
from bough.query.byte_sources import (
    choose_store as choose_store,
)
from bough.query.index.background_refresh import (
    BackgroundRefresh as BackgroundRefresh,
)
from bough.query.index.handle import (
    IndexCheck as IndexCheck,
    IndexHandle as IndexHandle,
    UnkeptSession as UnkeptSession,
    index_exists as index_exists,
    open_index as open_index,
    refresh_handle as refresh_handle,
)
from bough.query.index.index_access import (
    IndexAccess as IndexAccess,
)
from bough.query.index.kept_answers import (
    load_or_make_answer as load_or_make_answer,
)
from bough.query.json_documents import (
    ConversationDocument as ConversationDocument,
    DoctorDocument as DoctorDocument,
    TreeDocument as TreeDocument,
    conversation_document as conversation_document,
    doctor_document as doctor_document,
    limit_whole_conversations as limit_whole_conversations,
    tree_document as tree_document,
)
from bough.query.lists.annotated_rows import (
    annotate_projects as annotate_projects,
    annotate_sessions as annotate_sessions,
)
from bough.query.lists.catalog import (
    Catalog as Catalog,
    FileCatalog as FileCatalog,
    IndexCatalog as IndexCatalog,
    describe_unread as describe_unread,
    open_catalog as open_catalog,
)
from bough.query.lists.costs import (
    add_conversation_costs as add_conversation_costs,
    add_session_costs as add_session_costs,
)
from bough.query.lists.from_files import (
    describe_session as describe_session,
    list_all_conversations as list_all_conversations,
    list_conversations as list_conversations,
    list_sessions as list_sessions,
    session_kind as session_kind,
)
from bough.query.lists.from_index import (
    list_kept_places as list_kept_places,
)
from bough.query.lists.list_rows import (
    ConversationList as ConversationList,
    ConversationRow as ConversationRow,
    Dirs as Dirs,
    Project as Project,
    ScopedSessions as ScopedSessions,
    SessionList as SessionList,
    SessionRow as SessionRow,
)
from bough.query.lists.pages import (
    ListPage as ListPage,
    cut_page as cut_page,
)
from bough.query.lists.projects import (
    order_projects as order_projects,
    project_listings as project_listings,
)
from bough.query.lists.related import (
    SessionFork as SessionFork,
    find_plan_marks as find_plan_marks,
    lineage as lineage,
    list_forks as list_forks,
    plans as plans,
    trace_lineage as trace_lineage,
)
from bough.query.lists.session_filter import (
    SESSION_SORTS as SESSION_SORTS,
    SESSION_STATES as SESSION_STATES,
    SessionFilter as SessionFilter,
    filter_sessions as filter_sessions,
    parse_states as parse_states,
    sort_by_state as sort_by_state,
    sort_sessions as sort_sessions,
)
from bough.query.lists.session_lookup import (
    find_session as find_session,
)
from bough.query.live.event_filter import (
    choose_events as choose_events,
)
from bough.query.live.events import (
    StreamEvent as StreamEvent,
)
from bough.query.live.running_sessions import (
    LiveSession as LiveSession,
    RECENT as RECENT,
    describe_work as describe_work,
    seconds_in_state as seconds_in_state,
)
from bough.query.live.session_states import (
    ListedState as ListedState,
    find_session_states as find_session_states,
    read_session_status as read_session_status,
)
from bough.query.live.stream import (
    Stream as Stream,
)
from bough.query.live.thread import (
    FILE_KINDS as FILE_KINDS,
    LiveListener as LiveListener,
    LiveThread as LiveThread,
    main_path_of as main_path_of,
)
from bough.query.lookup import (
    choose_session as choose_session,
    explain_missing as explain_missing,
    find_project as find_project,
    list_path_spellings as list_path_spellings,
)
from bough.query.priced_outline import (
    load_prices as load_prices,
)
from bough.query.search.completion import (
    Completion as Completion,
    Vocabulary as Vocabulary,
    apply_completion as apply_completion,
    complete_query as complete_query,
    gather_vocabulary as gather_vocabulary,
)
from bough.query.search.pattern_process import (
    PatternSource as PatternSource,
    end_pattern_processes as end_pattern_processes,
    match_patterns as match_patterns,
)
from bough.query.search.search import (
    Hit as Hit,
    ListedHit as ListedHit,
    SearchPage as SearchPage,
    describe_session_hits as describe_session_hits,
    search_document as search_document,
)
from bough.query.search.suggestions import (
    Suggestion as Suggestion,
)
from bough.query.sessions.incremental import (
    GrowingSession as GrowingSession,
)
from bough.query.sessions.load_part import (
    describe_left_out as describe_left_out,
    find_start_before as find_start_before,
    is_small as is_small,
    keep_drawable as keep_drawable,
    open_first as open_first,
    open_from as open_from,
    open_part as open_part,
    open_range as open_range,
)
from bough.query.sessions.resume_command import (
    ResumeCommand as ResumeCommand,
    ResumeKind as ResumeKind,
)
from bough.query.sessions.session_parts import (
    check_version as check_version,
    find_agent as find_agent,
    find_message as find_message,
)
from bough.query.sessions.stored_outputs import (
    find_output as find_output,
    list_stored_outputs as list_stored_outputs,
)
from bough.query.stats.activity import (
    ActivityReport as ActivityReport,
)
from bough.query.stats.agents import (
    AgentReport as AgentReport,
)
from bough.query.stats.api_errors import (
    ErrorReport as ErrorReport,
)
from bough.query.stats.background_sums import (
    BackgroundSums as BackgroundSums,
)
from bough.query.stats.compactions import (
    CompactionReport as CompactionReport,
)
from bough.query.stats.files import (
    FileReport as FileReport,
)
from bough.query.stats.hooks import (
    HookReport as HookReport,
)
from bough.query.stats.models import (
    ModelReport as ModelReport,
)
from bough.query.stats.overview import (
    StatsOverview as StatsOverview,
)
from bough.query.stats.report_sessions import (
    ReportSession as ReportSession,
)
from bough.query.stats.report_table import (
    ReportBar as ReportBar,
    ReportTable as ReportTable,
    bars_of as bars_of,
    table_of as table_of,
    write_days as write_days,
    write_filter as write_filter,
)
from bough.query.stats.stats_report import (
    STATS_REPORTS as STATS_REPORTS,
    StatsReport as StatsReport,
)
from bough.query.stats.tools import (
    ToolReport as ToolReport,
)
from bough.query.usage.by_branch import (
    sum_left_behind as sum_left_behind,
)
from bough.query.usage.calendar import (
    find_weekday as find_weekday,
    parse_date_range as parse_date_range,
)
from bough.query.usage.chosen_budgets import (
    load_budgets as load_budgets,
)
from bough.query.usage.explain import (
    ExplainedCall as ExplainedCall,
    ExplainedModel as ExplainedModel,
    ExplainedShare as ExplainedShare,
    Explanation as Explanation,
    explain_models as explain_models,
    explanation_document as explanation_document,
)
from bough.query.usage.report import (
    BY as BY,
    BY_FOLDER as BY_FOLDER,
    REPORTS as REPORTS,
    UsageTable as UsageTable,
    amount_document as amount_document,
    usage_document as usage_document,
    usage_records as usage_records,
)
from bough.query.usage.time_settings import (
    apply_time_settings as apply_time_settings,
    load_zone as load_zone,
)
from bough.query.usage.time_zones import (
    LocalZone as LocalZone,
    find_zone as find_zone,
)
from bough.query.usage.usage_rows import (
    UsageRow as UsageRow,
)
from bough.records.record import (
    BadLine as BadLine,
    Record as Record,
)
from bough.store.annotations.annotation import (
    Annotation as Annotation,
    Annotations as Annotations,
    LONGEST_NOTE as LONGEST_NOTE,
)
from bough.store.annotations.annotation_store import (
    AnnotationChange as AnnotationChange,
)
from bough.store.query_language import (
    Query as Query,
    QuerySyntaxError as QuerySyntaxError,
    list_regexes as list_regexes,
)
from bough.store.rows import (
    MigrationReport as MigrationReport,
    SqlResult as SqlResult,
    TableColumns as TableColumns,
)
from bough.store.search_protocol import (
    SearchFacets as SearchFacets,
)
from bough.store.sqlite.connection import (
    measure_index as measure_index,
)
from bough.store.team_rows import (
    CrossedMark as CrossedMark,
    DialectAnswer as DialectAnswer,
    JsonChoice as JsonChoice,
    MemberRole as MemberRole,
    NewToken as NewToken,
    ProjectShare as ProjectShare,
    ShareLevel as ShareLevel,
    TeamBudget as TeamBudget,
    TeamMember as TeamMember,
    TeamRetention as TeamRetention,
)
from bough.team.push_plan import (
    PushReport as PushReport,
)
from bough.team.session_groups import (
    PushableProject as PushableProject,
)
from bough.timetravel.apply import (
    AppliedOperation as AppliedOperation,
    require_applicable as require_applicable,
)
from bough.timetravel.backups import (
    Backup as Backup,
    BackupReport as BackupReport,
)
from bough.timetravel.compare.compare_branches import (
    BranchComparison as BranchComparison,
    ComparedBranch as ComparedBranch,
    ComparedTurn as ComparedTurn,
    FileChange as FileChange,
    compare_branches as compare_branches,
)
from bough.timetravel.compare.compare_files import (
    FileDifference as FileDifference,
    find_file_differences as find_file_differences,
)
from bough.timetravel.errors import (
    AmbiguousPoint as AmbiguousPoint,
    Busy as Busy,
    FileChanged as FileChanged,
    GotoUnsafe as GotoUnsafe,
    NotATurnEnd as NotATurnEnd,
    Refusal as Refusal,
    SessionMaybeOpen as SessionMaybeOpen,
    SessionOpen as SessionOpen,
    shorten_id as shorten_id,
)
from bough.timetravel.journal import (
    Operation as Operation,
)
from bough.timetravel.plan import (
    Plan as Plan,
    Point as Point,
)
from bough.timetravel.plans.find import (
    SessionMatches as SessionMatches,
    TextMatch as TextMatch,
    list_searchable_texts as list_searchable_texts,
)
from bough.timetravel.plans.find_point import (
    PointSpec as PointSpec,
)
from bough.timetravel.plans.repair import (
    Remedy as Remedy,
)
from bough.timetravel.plans.turn_ends import (
    describe_point as describe_point,
    find_neighbor_point as find_neighbor_point,
)
from bough.timetravel.preview import (
    PreviewRow as PreviewRow,
    build_preview as build_preview,
    render_diff as render_diff,
)

__all__: list[str]
