"""In which module each name of the library stands.

Read when a name is asked for the first time: see `bough.library`.
"""

from typing import Final

NAMES_BY_MODULE: Final = {
    "bough.archive.transfer.adoption": "KnownMachine",
    "bough.archive.transfer.carried_files": "ArchiveExport ArchiveImport",
    "bough.archive.reports.lost_sessions": "ANSWERS_DELETED LostPrompt LostSession",
    "bough.archive.reports.forecast": (
        "DeletionDay DeletionForecast ExpiringSession describe_later"
    ),
    "bough.archive.storage.archive_finder": "find_kept_place",
    "bough.archive.reports.last_verification": "LastVerification",
    "bough.archive.reports.sentences": (
        "SHORT_MACHINE describe_contents describe_damage describe_equal describe_retention "
        "describe_safe describe_verification"
    ),
    "bough.archive.reports.status": "ArchiveStatus GoneSessionCopy RewrittenSession",
    "bough.archive.storage.archive_catalog": "ArchiveBusy",
    "bough.archive.storage.contents": "ArchiveContents",
    "bough.archive.intake.take_in": "ArchiveUpdate",
    "bough.archive.intake.archive_memory": "is_archive_asked",
    "bough.archive.intake.archive_run": "finish_archive_runs",
    "bough.archive.intake.schedule": (
        "install_schedule list_installed_files plan_schedule uninstall_schedule"
    ),
    "bough.archive.reports.verification": "ArchiveDamage EqualCopies",
    "bough.errors": "BoughError",
    "bough.export.document": "Export export_session",
    "bough.export.document_options": (
        "DEFAULT_BUDGET ExportFormat ExportOptions SecretFinding parse_budget"
    ),
    "bough.export.header": "make_file_name",
    "bough.export.html.conversation_view": "ConversationView OutlineRow",
    "bough.export.html.find": "PieceMatch count_words",
    "bough.export.html.images": "read_picture",
    "bough.export.html.presentation": "Presentation build_presentation",
    "bough.export.html.text_pair": "render_hunks render_prose_pair render_text_pair",
    "bough.export.llm.fit": "estimate_tokens",
    "bough.export.markdown.conversation": "write_piece",
    "bough.export.pieces": "PieceContent PieceInfo",
    "bough.export.save": "check_file save_file",
    "bough.export.secrets.redact": "Redactor redact_session",
    "bough.export.site": "SitePage",
    "bough.files.directory": "Problem",
    "bough.files.system_schedule": "Schedule ScheduleReport",
    "bough.library.annotation_functions": (
        "ImportReport annotate annotations change_annotation export_annotations hide_project "
        "import_annotations load_annotations load_readable_annotations star unstar"
    ),
    "bough.library.archive.archive_functions": "archive_sessions verify_archive",
    "bough.library.archive.status_functions": (
        "archive_status find_archived_session forecast_deletions"
    ),
    "bough.library.archive.archive_job": "ArchiveJob ArchiveProgress",
    "bough.library.archive.backup_functions": "BackupRestore WrittenBackup back_up restore_backup",
    "bough.library.archive.consent_functions": (
        "ArchiveConsent ArchiveQuestion answer_archive_consent find_archive_consent "
        "take_archive_sentence"
    ),
    "bough.library.client_settings.client_settings_functions": (
        "HooksStatus SettingsHealth check_settings hooks_status install_guard install_hooks "
        "install_status_line uninstall_guard uninstall_hooks uninstall_status_line"
    ),
    "bough.library.client_settings.guard_functions": (
        "GuardStatus SessionBudget change_budgets day_budget guard_status"
    ),
    "bough.library.export_functions": "ExportChoices choose_format export export_site",
    "bough.library.archive.forget_functions": (
        "ForgottenParts find_forgettable_session forget_archived_session"
    ),
    "bough.library.guide_functions": "GuidePage list_guide_pages read_guide_page",
    "bough.library.health_functions": (
        "ReportedFinding HealthReport report_health_of_files report_health"
    ),
    "bough.library.index_functions": "check_index index sql tables unkept_sessions",
    "bough.library.list_functions": "conversations projects sessions",
    "bough.library.live_functions": "refresh_status_numbers status watch",
    "bough.library.archive.lost_functions": "explain_lost lost_session lost_sessions",
    "bough.library.notification_functions": "Notifier make_notifier",
    "bough.library.team.push_functions": (
        "PushChoice chosen_projects find_team_store has_team_store parse_since pull push "
        "pushable_projects remove_pushed_session watch_push"
    ),
    "bough.library.recall_functions": (
        "DecisionCandidate EarlierPlace FileUse find_decisions "
        "find_earlier_places find_file_uses sessions_within"
    ),
    "bough.library.search_functions": (
        "count_facets count_session_hits parse_query search suggest_query"
    ),
    "bough.library.session_functions": "doctor find outline read_session resume_command",
    "bough.library.settings_functions": (
        "Setting change_prices change_setting find_setting list_settings list_settings_warnings"
    ),
    "bough.library.stats_functions": "stats stats_sessions",
    "bough.library.team.budget_functions": (
        "BudgetCheck check_team_budgets describe_crossed_mark list_team_budgets "
        "post_crossed_marks remove_team_budget set_team_budget"
    ),
    "bough.library.team.team_functions": (
        "add_member change_team_note check_team find_token_member hash_token init_team "
        "list_members list_other_notes list_shares load_team_notes "
        "make_member_url migrate_team note_opening prune_team read_member_access require_web_role "
        "revoke_member rotate_member share_project unshare_project"
    ),
    "bough.library.archive.transfer_functions": (
        "adopt_machine archive_machines export_archive import_archive"
    ),
    "bough.library.travel_functions": (
        "apply branch compare compare_files fork goto history list_unrepaired move preview "
        "prune_backups remedies "
        "rename repair restore undo"
    ),
    "bough.library.usage_functions": (
        "explain_cost explain_counted_calls explain_usage sum_usage usage"
    ),
    "bough.model.conversation.conversation": "Conversation",
    "bough.model.conversation.messages": "Message TextBlock",
    "bough.model.conversation.plan_files": "PlanFile PlanLink",
    "bough.model.conversation.plans": "PlanLinks",
    "bough.model.conversation.todo_lists": "TodoItem TodoList count_todos",
    "bough.model.health": "Finding Health",
    "bough.model.interpret.kept_places": "KeptPlace",
    "bough.model.outline.session_outline": "SessionOutline",
    "bough.model.outline.turns": "Turn",
    "bough.model.recall.dropped_parts": "find_dropped",
    "bough.model.session": "Agent Session",
    "bough.model.tools.call_list": "ToolCall",
    "bough.model.tools.calls": "CallResult Picture ToolBlock",
    "bough.model.transcript": "Tip",
    "bough.model.tree.branches": "BranchPoint",
    "bough.model.tree.lineage": "Origin",
    "bough.model.tree.nodes": "Tree",
    "bough.model.usage.costs": "UsageTotal",
    "bough.model.usage.tokens": "Tokens Usage",
    "bough.notifications.notification_choice": "Notification notification_document",
    "bough.model.usage.budget_share": "Budgets BudgetShare",
    "bough.notifications.notification_service": (
        "NotifierOptions install_notify_service list_notify_service_files plan_notify_service "
        "uninstall_notify_service"
    ),
    "bough.notifications.notification_senders": (
        "SendNotification TerminalCode encode_for_terminal find_desktop_sender "
        "find_terminal_code find_webhook_host make_webhook_sender"
    ),
    "bough.query.byte_sources": "choose_store",
    "bough.query.index.background_refresh": "BackgroundRefresh",
    "bough.query.index.index_access": "IndexAccess",
    "bough.query.index.kept_answers": "load_or_make_answer",
    "bough.query.index.handle": (
        "IndexCheck IndexHandle UnkeptSession index_exists open_index refresh_handle"
    ),
    "bough.query.json_documents": (
        "ConversationDocument DoctorDocument TreeDocument conversation_document "
        "doctor_document limit_whole_conversations tree_document"
    ),
    "bough.query.lists.annotated_rows": "annotate_projects annotate_sessions",
    "bough.query.lists.catalog": ("Catalog FileCatalog IndexCatalog describe_unread open_catalog"),
    "bough.query.usage.chosen_budgets": "load_budgets",
    "bough.query.lists.costs": "add_conversation_costs add_session_costs",
    "bough.query.lists.from_files": (
        "describe_session list_all_conversations list_conversations list_sessions session_kind"
    ),
    "bough.query.lists.from_index": "list_kept_places",
    "bough.query.lists.list_rows": (
        "ConversationList ConversationRow Dirs Project ScopedSessions SessionList SessionRow"
    ),
    "bough.query.lists.pages": "ListPage cut_page",
    "bough.query.lists.projects": "order_projects project_listings",
    "bough.query.lists.related": (
        "SessionFork find_plan_marks lineage list_forks plans trace_lineage"
    ),
    "bough.query.live.event_filter": "choose_events",
    "bough.query.live.events": "StreamEvent",
    "bough.query.live.running_sessions": "LiveSession RECENT describe_work seconds_in_state",
    "bough.query.live.stream": "Stream",
    "bough.query.live.thread": "FILE_KINDS LiveListener LiveThread main_path_of",
    "bough.query.live.session_states": "ListedState find_session_states read_session_status",
    "bough.query.lists.session_filter": (
        "SESSION_SORTS SESSION_STATES SessionFilter filter_sessions parse_states "
        "sort_by_state sort_sessions"
    ),
    "bough.query.lists.session_lookup": "find_session",
    "bough.query.lookup": "choose_session explain_missing find_project list_path_spellings",
    "bough.query.search.completion": (
        "Completion Vocabulary apply_completion complete_query gather_vocabulary"
    ),
    "bough.query.search.pattern_process": "PatternSource end_pattern_processes match_patterns",
    "bough.query.search.search": ("Hit ListedHit SearchPage describe_session_hits search_document"),
    "bough.query.search.suggestions": "Suggestion",
    "bough.query.sessions.incremental": "GrowingSession",
    "bough.query.sessions.load_part": (
        "describe_left_out find_start_before is_small keep_drawable open_first open_from open_part"
        " open_range"
    ),
    "bough.query.sessions.resume_command": "ResumeCommand ResumeKind",
    "bough.query.sessions.session_parts": "check_version find_agent find_message",
    "bough.query.sessions.stored_outputs": "find_output list_stored_outputs",
    "bough.query.priced_outline": "load_prices",
    "bough.query.stats.activity": "ActivityReport",
    "bough.query.stats.agents": "AgentReport",
    "bough.query.stats.api_errors": "ErrorReport",
    "bough.query.stats.background_sums": "BackgroundSums",
    "bough.query.stats.compactions": "CompactionReport",
    "bough.query.stats.files": "FileReport",
    "bough.query.stats.hooks": "HookReport",
    "bough.query.stats.models": "ModelReport",
    "bough.query.stats.overview": "StatsOverview",
    "bough.query.stats.report_sessions": "ReportSession",
    "bough.query.stats.report_table": (
        "ReportBar ReportTable bars_of table_of write_days write_filter"
    ),
    "bough.query.stats.stats_report": "STATS_REPORTS StatsReport",
    "bough.query.stats.tools": "ToolReport",
    "bough.query.usage.by_branch": "sum_left_behind",
    "bough.query.usage.calendar": "find_weekday parse_date_range",
    "bough.query.usage.explain": (
        "ExplainedCall ExplainedModel ExplainedShare Explanation explain_models "
        "explanation_document"
    ),
    "bough.query.usage.report": (
        "BY BY_FOLDER REPORTS UsageTable amount_document usage_document usage_records"
    ),
    "bough.query.usage.time_settings": "apply_time_settings load_zone",
    "bough.query.usage.usage_rows": "UsageRow",
    "bough.query.usage.time_zones": "LocalZone find_zone",
    "bough.records.record": "BadLine Record",
    "bough.store.annotations.annotation": "Annotation Annotations LONGEST_NOTE",
    "bough.store.annotations.annotation_store": "AnnotationChange",
    "bough.store.query_language": "Query QuerySyntaxError list_regexes",
    "bough.store.rows": "MigrationReport SqlResult TableColumns",
    "bough.store.search_protocol": "SearchFacets",
    "bough.store.sqlite.connection": "measure_index",
    "bough.store.team_rows": (
        "CrossedMark DialectAnswer JsonChoice MemberRole NewToken ProjectShare ShareLevel "
        "TeamBudget TeamMember TeamRetention"
    ),
    "bough.team.push_plan": "PushReport",
    "bough.team.session_groups": "PushableProject",
    "bough.timetravel.apply": "AppliedOperation require_applicable",
    "bough.timetravel.backups": "Backup BackupReport",
    "bough.timetravel.compare.compare_branches": (
        "BranchComparison ComparedBranch ComparedTurn FileChange compare_branches"
    ),
    "bough.timetravel.compare.compare_files": "FileDifference find_file_differences",
    "bough.timetravel.errors": (
        "AmbiguousPoint Busy FileChanged GotoUnsafe NotATurnEnd Refusal SessionMaybeOpen "
        "SessionOpen shorten_id"
    ),
    "bough.timetravel.journal": "Operation",
    "bough.timetravel.plan": "Plan Point",
    "bough.timetravel.plans.find": "SessionMatches TextMatch list_searchable_texts",
    "bough.timetravel.plans.find_point": "PointSpec",
    "bough.timetravel.plans.repair": "Remedy",
    "bough.timetravel.plans.turn_ends": "describe_point find_neighbor_point",
    "bough.timetravel.preview": "PreviewRow build_preview render_diff",
}
